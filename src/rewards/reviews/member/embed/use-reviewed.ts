import { useQuestion } from '../../../../platform/browser/query.ts'
import { getReviewStatus } from '../../contract.ts'

/** Returns which of these transactions are reviewed; null while unknown. `enabled`: transactions can be reviewed. */
export function useReviewed(txnId: string[], enabled: boolean): ReadonlySet<string> | null {
  const answer = useQuestion(
    getReviewStatus,
    { query: { txnId } },
    { enabled: enabled && txnId.length > 0, staleTime: 0 },
  )
  if (!answer.data) return null
  return new Set(answer.data.filter(({ completed }) => completed).map(({ id }) => id))
}
