import { Alert, Stack, Text } from '@mantine/core'
import { ActionDialog } from '../../../console-kit/ActionDialog.tsx'
import { useAct, useCall } from '../../../console-kit/calls.ts'
import { Loaded } from '../../../console-kit/states.tsx'
import { toastDone } from '../../../console-kit/toast.tsx'
import { Changes } from './Changes.tsx'
import { type AttachPreview, attachTransaction, previewAttach } from './contract.ts'

/** A restaurant or card that a transaction may be attached to. */
export interface Choice {
  kind: 'restaurant' | 'card'
  id: string
  label: string
  detail: string
  why: string[]
}

interface AttachDialogProps {
  id: string
  choice: Choice
  isOpen: boolean
  onClose: () => void
  onDone: () => void
}

/** Shows what attaching does, and does it. */
export function AttachDialog({ id, choice, isOpen, onClose, onDone }: AttachDialogProps) {
  const target = { kind: choice.kind, id: choice.id }
  const preview = useCall(previewAttach, { params: { id }, body: { target } }, { enabled: isOpen })
  const act = useAct(attachTransaction)
  return (
    <ActionDialog
      title={`Attach to ${choice.label}`}
      isOpen={isOpen}
      onClose={onClose}
      confirmLabel="Attach and post"
      asksReason
      isReady={preview.data !== undefined && !preview.isPlaceholderData && preview.data.count > 0}
      onConfirm={async (reason) => {
        const fingerprint = preview.data?.fingerprint ?? ''
        const done = await act.mutateAsync({ params: { id }, body: { target, reason, fingerprint } })
        toastDone(`${done.count} attached: ${done.reward}.`)
        onDone()
      }}
    >
      <Loaded query={preview}>{(shown) => <Preview preview={shown} kind={choice.kind} />}</Loaded>
    </ActionDialog>
  )
}

function Preview({ preview, kind }: { preview: AttachPreview; kind: Choice['kind'] }) {
  if (preview.count === 0)
    return <Alert color="orange">This would match nothing: it is not known on the day of the meal.</Alert>
  return (
    <Stack gap="xs">
      <Changes preview={preview} />
      <Text size="sm" c="dimmed">
        {kind === 'restaurant'
          ? 'The restaurant learns this network id: the next ones match by themselves.'
          : 'The card learns this token: the next ones match by themselves.'}
      </Text>
    </Stack>
  )
}
