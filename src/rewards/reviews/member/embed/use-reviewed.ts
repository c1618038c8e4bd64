import { useApiQuery } from '../../../../platform/browser/query.ts'
import { getReviewStatus } from '../../contract.ts'

/** Returns which of these transactions are reviewed; null while unknown. `enabled`: transactions can be reviewed. */
export function useReviewed(txnId: string[], enabled: boolean): ReadonlySet<string> | null {
  const statusQuery = useApiQuery(
    getReviewStatus,
    { query: { txnId } },
    { enabled: enabled && txnId.length > 0, staleTime: 0 },
  )
  if (!statusQuery.data) return null
  return new Set(statusQuery.data.filter(({ completed }) => completed).map(({ id }) => id))
}
