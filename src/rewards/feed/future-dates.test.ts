import { expect, test } from 'vitest'
import { feedEvent } from '../../../tests/support/reward-fixtures.ts'
import { isFromTheFuture } from './future-dates.ts'

test('an event may be dated up to two days ahead', () => {
  const now = new Date('2026-03-10T12:00:00.000Z')
  const isFuture = (datetime: string) => isFromTheFuture(feedEvent('transaction.auth', { datetime }), now)
  expect([isFuture('2026-03-12T12:00:00.000Z'), isFuture('2026-03-12T12:00:00.001Z')]).toEqual([false, true])
})
