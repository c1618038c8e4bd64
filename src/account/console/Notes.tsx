import { Button, Card, Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { failureOf } from '../../console-kit/api.ts'
import { useAct, useCall } from '../../console-kit/calls.ts'
import { Time } from '../../console-kit/format.tsx'
import { useMay } from '../../console-kit/session.tsx'
import { Loaded } from '../../console-kit/states.tsx'
import { toastFailed } from '../../console-kit/toast.tsx'
import { addMemberNote, deleteMemberNote, listMemberNotes } from './contract.ts'

/** What operators have written about a member. */
export function Notes({ id }: { id: string }) {
  const query = useCall(listMemberNotes, { params: { id } })
  const may = useMay()
  const add = useAct(addMemberNote)
  const remove = useAct(deleteMemberNote)
  const [body, setBody] = useState('')
  const [problem, setProblem] = useState<string | undefined>()
  const store = () => {
    setProblem(undefined)
    add.mutate(
      { params: { id }, body: { body } },
      { onSuccess: () => setBody(''), onError: (error) => setProblem(failureOf(error)) },
    )
  }
  return (
    <Card withBorder component="section" aria-label="Notes">
      <Text fw={600} mb="xs">
        Notes
      </Text>
      <Stack>
        {may('notes.write') && (
          <form
            onSubmit={(event) => {
              event.preventDefault()
              store()
            }}
          >
            <Stack gap="xs">
              <Textarea
                label="New note"
                description="The member can request what is written here."
                value={body}
                onChange={(event) => setBody(event.currentTarget.value)}
                error={problem}
                autosize
                minRows={2}
              />
              <Group justify="flex-end">
                <Button type="submit" size="xs" loading={add.isPending}>
                  Add note
                </Button>
              </Group>
            </Stack>
          </form>
        )}
        <Loaded query={query}>
          {(notes) =>
            notes.map(({ id: note, by, isMine, body: text, at }) => (
              <div key={note}>
                <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                  {text}
                </Text>
                <Group gap="xs">
                  <Text size="sm" c="dimmed">
                    {by}, <Time at={at} />
                  </Text>
                  {isMine && (
                    <Button
                      size="compact-xs"
                      variant="subtle"
                      onClick={() => remove.mutate({ params: { id, note } }, { onError: toastFailed })}
                    >
                      Remove
                    </Button>
                  )}
                </Group>
              </div>
            ))
          }
        </Loaded>
      </Stack>
    </Card>
  )
}
