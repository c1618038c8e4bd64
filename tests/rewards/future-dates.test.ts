import { expect, test } from 'vitest'
import { isFromTheFuture } from '../../src/rewards/feed/future-dates.ts'
import { feedEvent } from '../support/reward-fixtures.ts'

test('an event may be dated up to two days ahead', () => {
  const now = new Date('2026-03-10T12:00:00.000Z')
  const isFuture = (datetime: string) => isFromTheFuture(feedEvent('transaction.auth', { datetime }), now)
  expect([isFuture('2026-03-12T12:00:00.000Z'), isFuture('2026-03-12T12:00:00.001Z')]).toEqual([false, true])
})
