import { Stack, Text } from '@mantine/core'
import { DateTimePicker } from '@mantine/dates'
import { useState } from 'react'
import { ActionDialog } from '../../../console-kit/ActionDialog.tsx'
import { useAct, useCall } from '../../../console-kit/calls.ts'
import { Loaded } from '../../../console-kit/states.tsx'
import { toastDone } from '../../../console-kit/toast.tsx'
import { Changes } from './Changes.tsx'
import { previewReplay, previewReplayOfTransaction, replaySpan, replayTransaction } from './contract.ts'

interface DialogProps {
  isOpen: boolean
  onClose: () => void
}

/** A picker's value, which is in UTC here, as an instant. */
const toIso = (value: string) => `${value.replace(' ', 'T')}Z`

/** Replays the messages that came in a span of time. */
export function ReplayDialog({ isOpen, onClose }: DialogProps) {
  const [from, setFrom] = useState<string | null>(null)
  const [to, setTo] = useState<string | null>(null)
  const span = from !== null && to !== null && from < to ? { from: toIso(from), to: toIso(to) } : null
  const preview = useCall(
    previewReplay,
    { body: { span: span ?? { from: '', to: '' } } },
    { enabled: isOpen && span !== null },
  )
  const act = useAct(replaySpan)
  return (
    <ActionDialog
      title="Replay a span of time"
      isOpen={isOpen}
      onClose={onClose}
      confirmLabel="Replay"
      asksReason
      isReady={span !== null && preview.data !== undefined && !preview.isPlaceholderData}
      onConfirm={async (reason) => {
        if (!span) return
        const done = await act.mutateAsync({
          body: { span, reason, fingerprint: preview.data?.fingerprint ?? '' },
        })
        toastDone(`Replayed: ${done.count} changed.`)
      }}
    >
      <Stack>
        <Text size="sm">
          All messages that came in this span are folded and decided again. What was applied already changes nothing.
        </Text>
        <DateTimePicker label="From (UTC)" value={from} onChange={setFrom} withSeconds />
        <DateTimePicker label="To (UTC)" value={to} onChange={setTo} withSeconds />
        {span && <Loaded query={preview}>{(shown) => <Changes preview={shown} />}</Loaded>}
      </Stack>
    </ActionDialog>
  )
}

/** Replays the messages of one transaction. */
export function ReplayTransactionDialog({ id, isOpen, onClose }: DialogProps & { id: string }) {
  const preview = useCall(previewReplayOfTransaction, { params: { id } }, { enabled: isOpen })
  const act = useAct(replayTransaction)
  return (
    <ActionDialog
      title="Replay its messages"
      isOpen={isOpen}
      onClose={onClose}
      confirmLabel="Replay"
      asksReason
      isReady={preview.data !== undefined && !preview.isPlaceholderData}
      onConfirm={async (reason) => {
        const fingerprint = preview.data?.fingerprint ?? ''
        const done = await act.mutateAsync({ params: { id }, body: { reason, fingerprint } })
        toastDone(`Replayed: ${done.count} changed.`)
      }}
    >
      <Loaded query={preview}>{(shown) => <Changes preview={shown} />}</Loaded>
    </ActionDialog>
  )
}
