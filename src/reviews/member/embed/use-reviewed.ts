import { useQuestion } from '../../../kit/web/query.ts'
import type { RewardEntry } from '../../../rewards/contract.ts'
import { getReviewStatus } from '../../contract.ts'

/** Returns the ids of reviewed transactions; null while unknown. `enabled`: transactions can be reviewed. */
export function useReviewed(entries: readonly RewardEntry[], enabled: boolean): ReadonlySet<string> | null {
  const txnId = entries.flatMap((entry) => (entry.kind === 'transaction' ? [entry.sourceTransactionId] : []))
  const answer = useQuestion(
    getReviewStatus,
    { query: { txnId } },
    { enabled: enabled && txnId.length > 0, staleTime: 0 },
  )
  if (!answer.data) return null
  return new Set(answer.data.filter(({ completed }) => completed).map(({ id }) => id))
}
