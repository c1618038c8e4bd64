import { List, Stack, Text } from '@mantine/core'
import { ActionDialog } from '../../../console-kit/ActionDialog.tsx'
import { useAct, useCall } from '../../../console-kit/calls.ts'
import { Loaded } from '../../../console-kit/states.tsx'
import { toastDone } from '../../../console-kit/toast.tsx'
import { formatCents } from '../../../platform/money.ts'
import { type CreditDetail, type DecisionPreview, decideCredit, previewCreditDecision } from './contract.ts'
import { attentionNames, decisionWords, stateNames } from './credit-names.ts'

interface DialogProps {
  id: string
  decision: CreditDetail['decisions'][number]
  onClose: () => void
}

/** Shows what a decision about a credit does, and carries it out. */
export function DecisionDialog({ id, decision, onClose }: DialogProps) {
  const act = useAct(decideCredit)
  // Not once more after the decision: it is impossible then.
  const isOpen = !act.isPending && !act.isSuccess
  const preview = useCall(previewCreditDecision, { params: { id }, body: { decision } }, { enabled: isOpen })
  const { title, action, confirm = action, done, text, isDangerous } = decisionWords[decision]
  return (
    <ActionDialog
      title={title}
      isOpen
      onClose={onClose}
      confirmLabel={confirm}
      asksReason
      {...(isDangerous && { isDangerous })}
      isReady={preview.data !== undefined && !preview.isPlaceholderData}
      onConfirm={async (reason) => {
        const fingerprint = preview.data?.fingerprint ?? ''
        await act.mutateAsync({ params: { id }, body: { decision, reason, fingerprint } })
        toastDone(done)
      }}
    >
      <Stack gap="xs">
        <Text size="sm">{text}</Text>
        <Loaded query={preview}>{(shown) => <Preview preview={shown} />}</Loaded>
      </Stack>
    </ActionDialog>
  )
}

function Preview({ preview }: { preview: DecisionPreview }) {
  const { stateAfter, attentionAfter, centsBefore, centsAfter, ordered } = preview
  return (
    <List size="sm" aria-label="What will happen">
      <List.Item>
        Balance of the member:{' '}
        {centsBefore === centsAfter
          ? `stays ${formatCents(centsBefore)}`
          : `from ${formatCents(centsBefore)} to ${formatCents(centsAfter)}`}
        .
      </List.Item>
      {ordered.map(({ cents, target }) => (
        <List.Item key={target}>
          A new credit of {formatCents(cents)}: {target}.
        </List.Item>
      ))}
      <List.Item>
        State of this credit: {stateNames[stateAfter].label}.{' '}
        {attentionAfter && `It still needs a decision: ${attentionNames[attentionAfter]}.`}
      </List.Item>
    </List>
  )
}
