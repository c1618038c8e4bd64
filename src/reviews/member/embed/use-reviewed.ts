import { useQuestion } from '../../../kit/web/query.ts'
import type { RewardEntry } from '../../../rewards/contract.ts'
import { getReviewStatus } from '../../contract.ts'

/** Which of these meals the member has reviewed; null while nobody knows. `enabled` where meals are reviewed at all. */
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
