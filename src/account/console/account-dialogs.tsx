import { Checkbox, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ActionDialog } from '../../console-kit/ActionDialog.tsx'
import { useAct } from '../../console-kit/calls.ts'
import { useMay, useProgram, useSession } from '../../console-kit/session.tsx'
import { toastDone } from '../../console-kit/toast.tsx'
import { closeMember, reopenMember } from './contract.ts'
import type { DialogProps } from './dialog-props.ts'
import { nameOf } from './member-words.ts'

/** Begins the impersonation: a page of plain forms then shows the app in a frame. */
export function LookDialog({ member, onClose }: DialogProps) {
  const program = useProgram()
  const { csrfToken } = useSession()
  const may = useMay()
  const [change, setChange] = useState(false)
  return (
    <ActionDialog
      title={`View the app as ${nameOf(member)}`}
      isOpen
      onClose={onClose}
      confirmLabel="View as member"
      asksReason
      onConfirm={async (reason) =>
        sendForm(`/${program.code}/members/${member.id}/look`, {
          csrf: csrfToken,
          reason,
          ...(change && { change: 'yes' }),
        })
      }
    >
      <Text size="sm">
        For up to 30 minutes. Your visit, your reason and your changes are recorded, and the member can request the
        record.
      </Text>
      {may('members.act') && (
        <Checkbox
          label="I need to change something for the member"
          checked={change}
          onChange={(event) => setChange(event.currentTarget.checked)}
        />
      )}
    </ActionDialog>
  )
}

/** Sends a form as the browser does, which then shows the page of the response. */
function sendForm(action: string, fields: Record<string, string>): void {
  const form = Object.assign(document.createElement('form'), { method: 'post', action, hidden: true })
  for (const [name, value] of Object.entries(fields))
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
  document.body.append(form)
  form.submit()
}

export function CloseDialog({ member, onClose }: DialogProps) {
  const act = useAct(closeMember)
  return (
    <ActionDialog
      title={`Close the account of ${nameOf(member)}`}
      isOpen
      onClose={onClose}
      confirmLabel="Close the account"
      isDangerous
      asksReason
      onConfirm={async (reason) => {
        await act.mutateAsync({ params: { id: member.id }, body: { reason } })
        toastDone('Closed.')
      }}
    >
      <Stack gap="xs">
        <Text size="sm">
          {member.lastFours.length > 0
            ? `These cards stop earning: ${member.lastFours.join(', ')}.`
            : 'The account has no linked card.'}{' '}
          Every session of the member ends. The balance of {member.balance} stays.
        </Text>
      </Stack>
    </ActionDialog>
  )
}

export function ReopenDialog({ member, onClose }: DialogProps) {
  const act = useAct(reopenMember)
  return (
    <ActionDialog
      title={`Reopen the account of ${nameOf(member)}`}
      isOpen
      onClose={onClose}
      confirmLabel="Reopen"
      asksReason
      onConfirm={async (reason) => {
        await act.mutateAsync({ params: { id: member.id }, body: { reason } })
        toastDone('Open again.')
      }}
    >
      <Text size="sm">The account opens without a card. The member links one again.</Text>
    </ActionDialog>
  )
}
