import { expect, test } from 'vitest'
import type { QueryCache } from '../../../../platform/browser/query-cache.ts'
import { invalidateActivity } from './activity-query.ts'

test('new activity invalidates the lists, balances and goals of the member, and nothing else', async () => {
  const names: string[] = []
  const cache = {
    invalidate: async (matches: (key: readonly unknown[]) => boolean) =>
      void names.push(...cached.filter((name) => matches([name, {}]))),
  } as unknown as QueryCache
  const changed = [
    'listTransactions',
    'listTransactionsAndCredits',
    'getTransactionTimeline',
    'getStatementCreditBalance',
    'getDineSummary',
    'listGoals',
    'getReviewStatus',
    'getMember',
  ]
  const cached = [...changed, 'listCards', 'searchMerchants', 'getMerchant']
  await invalidateActivity(cache)
  expect(names).toEqual(changed)
})
