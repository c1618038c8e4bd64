import { expect, test } from 'vitest'
import { pollingOf } from './workers.ts'

test('due jobs are looked for at the set interval, at most twice a second, and three times less often beside notifications', () => {
  expect([pollingOf(2000), pollingOf(499)]).toEqual([
    { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 6 },
    { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 1.5 },
  ])
})
