import { Alert, Button, Card, Checkbox, Group, Menu, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useHotkeys } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { failureOf, fieldErrorsOf } from '../../../console-kit/api.ts'
import { useAct, useCall } from '../../../console-kit/calls.ts'
import { usePageKeys } from '../../../console-kit/keys.ts'
import { toastDone, toastFailed } from '../../../console-kit/toast.tsx'
import { useShownProblem } from '../../../console-kit/use-shown-problem.ts'
import { ApiCallError } from '../../../platform/browser/api.ts'
import { type Resolution, resolutions } from '../rules.ts'
import {
  type ClaimDetail,
  decideClaim,
  deleteReplyTemplate,
  getClaim,
  listClaimQueue,
  listReplyTemplates,
  saveReplyTemplate,
} from './contract.ts'
import { resolutionNames } from './resolution-names.ts'

/** Errors after which the claim is shown as it is now, in place of the form. */
const overtaken: readonly string[] = ['claimDecided', 'claimWaits', 'conflict']

/** The decision of an open claim. Ctrl Enter sends it. */
export function DecisionForm({ claim, onDecided }: { claim: ClaimDetail; onDecided: () => void }) {
  const client = useQueryClient()
  const act = useAct(decideClaim, { refreshes: [getClaim, listClaimQueue] })
  const [problem, setProblem] = useState<string | null>(null)
  /** The usual reward, while a much larger one waits for its confirmation. */
  const [usual, setUsual] = useState<string | null>(null)
  const form = useForm({
    initialValues: {
      code: '' as Resolution | '',
      reward: claim.suggestedReward,
      words: '',
      confirmedReward: '',
      isAnother: false,
    },
  })
  const earning = claim.similarTransactions.filter((transaction) => transaction.earning)
  const isCredit = form.values.code === 'credited'
  const outcome = useRef<HTMLInputElement>(null)
  const { form: formElement, alert } = useShownProblem(problem)
  const submit = form.onSubmit(async ({ code, reward, words, confirmedReward, isAnother }) => {
    setProblem(null)
    if (code === '') {
      form.setFieldError('code', 'Choose an outcome.')
      outcome.current?.focus()
      return
    }
    const otherMeals = isAnother ? earning.map(({ networkId }) => networkId) : []
    try {
      const body = { code, reward, words, confirmedReward, otherMeals }
      const { waits } = await act.mutateAsync({ params: { id: claim.id }, body })
      toastDone(waits ? 'It is above your limit: a second person decides.' : 'Decided. The member gets an email.')
      if (!waits) onDecided()
    } catch (error) {
      if (error instanceof ApiCallError && overtaken.includes(error.code)) {
        toastFailed(error)
        await Promise.all([getClaim, listClaimQueue].map(({ id }) => client.invalidateQueries({ queryKey: [id] })))
        return
      }
      const wrong = fieldErrorsOf(error)
      form.setErrors(wrong)
      if (error instanceof ApiCallError && error.code === 'largeReward') setUsual(String(error.detail.usual ?? ''))
      setProblem(Object.keys(wrong).length > 0 ? 'Please correct what is marked.' : failureOf(error))
    }
  })
  useHotkeys([['mod+Enter', () => submit()]], [])
  usePageKeys([['d', () => outcome.current?.focus()]])
  return (
    <Card withBorder component="section" aria-labelledby="decide">
      <form ref={formElement} onSubmit={submit} noValidate>
        <Stack>
          <Text fw={600} id="decide">
            Decide
          </Text>
          <Select
            ref={outcome}
            label="Outcome"
            description="Key d"
            searchable
            placeholder="Choose an outcome"
            data={resolutions.map((code) => ({ value: code, label: resolutionNames[code] }))}
            {...form.getInputProps('code')}
          />
          {isCredit && (
            <TextInput
              label={`Reward to credit (${claim.rewardUnit})`}
              inputMode="decimal"
              {...form.getInputProps('reward')}
            />
          )}
          {isCredit && usual !== null && (
            <Checkbox
              label={`Credit it although the meal would earn ${usual}`}
              checked={form.values.confirmedReward === form.values.reward}
              onChange={(event) =>
                form.setFieldValue('confirmedReward', event.currentTarget.checked ? form.values.reward : '')
              }
            />
          )}
          {isCredit && earning.length > 0 && (
            <Checkbox
              label="This is another meal than those that earn already"
              {...form.getInputProps('isAnother', { type: 'checkbox' })}
            />
          )}
          <Textarea
            label="Message to the member"
            description="Optional. It follows the words of the outcome in the email."
            autosize
            minRows={2}
            {...form.getInputProps('words')}
          />
          {problem && (
            <Alert ref={alert} color="red" role="alert" tabIndex={-1}>
              {problem}
            </Alert>
          )}
          <Group justify="space-between">
            <Templates
              code={form.values.code}
              words={form.values.words}
              onChoose={({ code, words }) => form.setValues({ code, words })}
            />
            <Button type="submit" loading={act.isPending}>
              {claim.owner && !claim.owner.isMe ? `Decide in place of ${claim.owner.name}` : 'Decide'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  )
}

interface TemplatesProps {
  code: Resolution | ''
  words: string
  onChoose: (template: { code: Resolution; words: string }) => void
}

/** The replies that operators send often. */
function Templates({ code, words, onChoose }: TemplatesProps) {
  const templates = useCall(listReplyTemplates, {})
  const save = useAct(saveReplyTemplate, { refreshes: [listReplyTemplates] })
  const remove = useAct(deleteReplyTemplate, { refreshes: [listReplyTemplates] })
  const [name, setName] = useState('')
  const saved = { onError: toastFailed, onSuccess: () => toastDone('The template was stored.') }
  return (
    <Menu closeOnItemClick={false} width={320} position="top-start" trapFocus>
      <Menu.Target>
        <Button variant="default">Reply templates</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(templates.data ?? []).length === 0 && <Menu.Label>There are no templates yet.</Menu.Label>}
        {(templates.data ?? []).map((template) => (
          <Group key={template.id} wrap="nowrap" gap={4}>
            <Menu.Item onClick={() => onChoose(template)}>{template.name}</Menu.Item>
            <Button
              size="xs"
              variant="subtle"
              color="red"
              aria-label={`Remove ${template.name}`}
              onClick={() => remove.mutate({ params: { id: template.id } }, { onError: toastFailed })}
            >
              Remove
            </Button>
          </Group>
        ))}
        <Menu.Divider />
        <Stack gap="xs" p="xs">
          <TextInput
            label="Keep this reply as"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={fieldErrorsOf(save.error).name}
          />
          <Button
            size="xs"
            disabled={code === '' || words.trim() === ''}
            loading={save.isPending}
            onClick={() => code !== '' && save.mutate({ body: { name, code, words } }, saved)}
          >
            Store the template
          </Button>
          {(code === '' || words.trim() === '') && (
            <Text size="xs" c="dimmed">
              Choose an outcome and write the message first.
            </Text>
          )}
        </Stack>
      </Menu.Dropdown>
    </Menu>
  )
}
