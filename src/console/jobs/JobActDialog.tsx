import { Alert, List, Stack, Text } from '@mantine/core'
import { ActionDialog } from '../../console-kit/ActionDialog.tsx'
import { useAct, useCall } from '../../console-kit/calls.ts'
import { Loaded } from '../../console-kit/states.tsx'
import { toastDone } from '../../console-kit/toast.tsx'
import { formatCount } from '../../platform/money.ts'
import { discardJobs, type JobEffect, previewJobs, retryJobs } from './contract.ts'
import { queueName } from './words.ts'

interface Props {
  act: 'retry' | 'discard'
  /** The failed jobs; the dialog is open while there are any. */
  ids: readonly string[]
  onClose: () => void
  onDone: () => void
}

const countOf = (count: number) => `${formatCount(count)} ${count === 1 ? 'job' : 'jobs'}`

/** Retries or discards jobs that have failed for good, after what will happen was shown. */
export function JobActDialog({ act, ids, onClose, onDone }: Props) {
  const isOpen = ids.length > 0
  const preview = useCall(previewJobs, { body: { act, ids: [...ids] } }, { enabled: isOpen })
  const retry = useAct(retryJobs)
  const discard = useAct(discardJobs)
  const isRetry = act === 'retry'
  return (
    <ActionDialog
      title={isRetry ? 'Retry failed jobs' : 'Discard failed jobs'}
      isOpen={isOpen}
      onClose={onClose}
      confirmLabel={isRetry ? 'Retry' : 'Discard'}
      isDangerous={!isRetry}
      asksReason
      isReady={preview.data !== undefined && !preview.isPlaceholderData && preview.data.count > 0}
      onConfirm={async (reason) => {
        const body = { ids: [...ids], reason, fingerprint: preview.data?.fingerprint ?? '' }
        const { count } = await (isRetry ? retry : discard).mutateAsync({ body })
        toastDone(isRetry ? `${countOf(count)} will be tried again.` : `Discarded: ${countOf(count)}.`)
        onDone()
      }}
    >
      <Loaded query={preview}>{(effect) => <Effect effect={effect} isRetry={isRetry} />}</Loaded>
    </ActionDialog>
  )
}

function Effect({ effect: { count, queues, gone, waitingAlready }, isRetry }: { effect: JobEffect; isRetry: boolean }) {
  return (
    <Stack gap="xs">
      <Text size="sm">
        {isRetry
          ? `${countOf(count)} will go back to the queue and be tried again. What was done meanwhile is not done again.`
          : `${countOf(count)} will be removed for good. What they were about keeps the state that it has.`}
      </Text>
      <List size="sm">
        {queues.map(({ queue, count: each }) => (
          <List.Item key={queue}>
            {queueName(queue)}: {formatCount(each)}
          </List.Item>
        ))}
      </List>
      {waitingAlready > 0 && (
        <Alert color="yellow">
          {countOf(waitingAlready)} will not be tried again, because a newer job for the same thing waits already.
        </Alert>
      )}
      {gone > 0 && <Alert color="yellow">{countOf(gone)} no longer failed: someone was faster.</Alert>}
    </Stack>
  )
}
