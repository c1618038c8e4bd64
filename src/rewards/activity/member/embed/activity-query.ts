import type { ReadApi } from '../../../../platform/browser/api.ts'
import { apiQuery } from '../../../../platform/browser/query.ts'
import type { QueryCache } from '../../../../platform/browser/query-cache.ts'
import type { CurrencyType } from '../../../../programs/partners/contract.ts'
import type { ActivityFilter } from '../../activity-filter.ts'
import { listTransactions, listTransactionsAndCredits } from '../../contract.ts'

/** Returns the query for one page of activity; credit programs include statement credits. */
export function activityQuery(
  api: ReadApi,
  currency: CurrencyType,
  pageRequest: ActivityFilter & { pageNo: number; resultsPerPage?: number },
) {
  const input = { query: { resultsPerPage: 10, ...pageRequest } }
  const call = currency === 'Credit' ? listTransactionsAndCredits : listTransactions
  return {
    ...apiQuery<typeof listTransactionsAndCredits>(api, call as typeof listTransactionsAndCredits, input),
    staleTime: 0,
  }
}

/** Invalidates the cached activity and balances of the member. */
export function invalidateActivity(cache: QueryCache): Promise<void> {
  const names = new Set([
    'listTransactions',
    'listTransactionsAndCredits',
    'getTransactionTimeline',
    'getStatementCreditBalance',
    'getDineSummary',
    'listGoals',
    'getReviewStatus',
    'getMember',
  ])
  return cache.invalidate(([id]) => names.has(String(id)))
}
