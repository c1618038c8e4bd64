import type { QueryClient } from '@tanstack/react-query'
import type { Api } from '../../../../platform/browser/api.ts'
import { ask } from '../../../../platform/browser/query.ts'
import type { CurrencyType } from '../../../../programs/partners/contract.ts'
import { listTransactions, listTransactionsAndCredits, type RewardEntry } from '../../contract.ts'
import type { ActivityFilter } from '../../names.ts'

export interface ActivityPage {
  data: RewardEntry[]
  totalPages: number
}

/** Returns the query for one page of activity; credit programs include statement credits. */
export function askActivity(
  api: Api,
  currency: CurrencyType,
  wish: ActivityFilter & { pageNo: number; resultsPerPage?: number },
) {
  const given = { query: { resultsPerPage: 10, ...wish } }
  const call = currency === 'Credit' ? listTransactionsAndCredits : listTransactions
  return {
    ...ask<typeof listTransactionsAndCredits>(api, call as typeof listTransactionsAndCredits, given),
    staleTime: 0,
  }
}

/** Invalidates the cached activity and balances of the member. */
export function forgetActivity(cache: QueryClient): Promise<void> {
  const names = new Set([
    'listTransactions',
    'listTransactionsAndCredits',
    'getStatementCreditBalance',
    'getDineSummary',
    'listGoals',
    'getMember',
  ])
  return cache.invalidateQueries({ predicate: ({ queryKey }) => names.has(String(queryKey[0])) })
}
