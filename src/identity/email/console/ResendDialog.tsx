import { Alert, Stack, Text } from '@mantine/core'
import { ActionDialog } from '../../../console-kit/ActionDialog.tsx'
import { useAct, useCall } from '../../../console-kit/calls.ts'
import { Loaded } from '../../../console-kit/states.tsx'
import { toastDone } from '../../../console-kit/toast.tsx'
import { formatCount } from '../../../platform/money.ts'
import { previewResend, resendEmails } from './contract.ts'

interface Props {
  /** The emails; the dialog is open while there are any. */
  ids: readonly string[]
  onClose: () => void
  onDone: () => void
}

const countOf = (count: number) => `${formatCount(count)} ${count === 1 ? 'email' : 'emails'}`

/** Sends failed emails again, after how many was shown. */
export function ResendDialog({ ids, onClose, onDone }: Props) {
  const isOpen = ids.length > 0
  const preview = useCall(previewResend, { body: { ids: [...ids] } }, { enabled: isOpen })
  const act = useAct(resendEmails)
  return (
    <ActionDialog
      title="Send failed emails again"
      isOpen={isOpen}
      onClose={onClose}
      confirmLabel="Send again"
      asksReason
      isReady={preview.data !== undefined && !preview.isPlaceholderData && preview.data.count > 0}
      onConfirm={async (reason) => {
        const fingerprint = preview.data?.fingerprint ?? ''
        const { count } = await act.mutateAsync({ body: { ids: [...ids], reason, fingerprint } })
        toastDone(`Sent again: ${countOf(count)}.`)
        onDone()
      }}
    >
      <Loaded query={preview}>
        {({ count, leftOut }) => (
          <Stack gap="xs">
            <Text size="sm">{countOf(count)} will be sent again, unchanged and to the same address.</Text>
            {leftOut > 0 && (
              <Alert color="yellow">
                {countOf(leftOut)} will not be sent: it has not failed, or its text was deleted because it held a code.
              </Alert>
            )}
          </Stack>
        )}
      </Loaded>
    </ActionDialog>
  )
}
