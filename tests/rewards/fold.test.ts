import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import type { FeedEvent, NetworkTransaction } from '../../src/rewards/feed/contract.ts'
import { foldMessages } from '../../src/rewards/feed/fold.ts'
import { messageIdOf, toFeedMessage, updatedAt } from '../../src/rewards/feed/message.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import { scaled } from '../support/scale.ts'

const at = (minute: number) => `2026-03-10T23:${String(minute).padStart(2, '0')}:00.000Z`
const message = (name: 'auth' | 'clearing' | 'refund', minute: number, over: Partial<NetworkTransaction> = {}) =>
  feedEvent(`transaction.${name}`, { id: 'meal', updated: at(minute), ...over })

const refund = { id: 'refund', amount: '-12.10', originalTransactionId: 'meal' }

/** A transaction with every kind of message: tip, correction, two refunds, each sent twice. */
const messages: FeedEvent[] = [
  message('auth', 1, { amount: '40.00' }),
  message('auth', 2, { amount: '42.10' }),
  message('clearing', 10, { amount: '50.52' }),
  message('clearing', 11, { amount: '50.50' }),
  message('refund', 20, refund),
  message('clearing', 20, refund),
  message('refund', 25, { ...refund, id: 'second', amount: '-5.00' }),
  message('clearing', 30, { id: 'third', amount: '-3.00' }),
  message('refund', 30, { id: 'third', amount: '-3.00', originalTransactionId: 'meal' }),
]

function fold(events: readonly FeedEvent[]) {
  return foldMessages(events.map(toFeedMessage).filter((update) => update !== null))
}

const one = (...events: FeedEvent[]) => fold(events)[0]

describe('many messages, one transaction', () => {
  const final = {
    networkId: 'meal',
    stage: 'cleared',
    ticketCents: 42_10,
    clearedCents: 50_50,
    refundedCents: 20_10,
    clearedAt: Date.parse(at(11)),
  }

  test('all messages fold to one transaction with the last amounts', () => {
    expect(fold(messages)).toEqual([expect.objectContaining(final)])
  })

  test('Case 5 shuffled and repeated messages fold to the same transaction in every order', () => {
    const orders = fc
      .array(fc.constantFrom(...messages), { maxLength: 12 })
      .chain((again) => fc.shuffledSubarray([...messages, ...again], { minLength: messages.length + again.length }))
    const expected = fold(messages)
    fc.assert(
      fc.property(orders, (order) => {
        expect(fold(order)).toEqual(expected)
      }),
      { numRuns: scaled({ full: 20_000, short: 2_000 }) },
    )
  })

  test('Case 5 counterpart: a fold that depends on the order of arrival is detected', () => {
    const naive = (order: readonly FeedEvent[]) => order.findLast((e) => e.event === 'transaction.clearing')
    const differs = fc.check(
      fc.property(fc.shuffledSubarray(messages, { minLength: messages.length }), (order) => {
        expect(naive(order)).toEqual(naive(messages))
      }),
    )
    expect(differs.failed).toBe(true)
  })
})

describe('refunds in all their forms', () => {
  test('a refund alone makes no transaction, and counts as soon as there is one', () => {
    expect(fold([message('refund', 1, refund)])).toEqual([])
    expect(one(message('refund', 1, refund), message('clearing', 2))).toMatchObject({ refundedCents: 12_10 })
  })

  test('a refund that sends both a clearing and a refund event is deducted once', () => {
    const both = [message('refund', 5, refund), message('clearing', 5, refund)]
    expect(one(message('clearing', 2), ...both)).toMatchObject({ clearedCents: 42_10, refundedCents: 12_10 })
  })

  test('a refund with the id of the transaction itself is a refund', () => {
    const own = { amount: '-42.10' }
    const folded = one(message('clearing', 2), message('refund', 5, own), message('clearing', 5, own))
    expect(folded).toMatchObject({ stage: 'refunded', clearedCents: 42_10, refundedCents: 42_10 })
  })

  test.each(['-12.10', '12.10', -12.1])('a refund of %s dollars is a refund with either sign', (amount) => {
    expect(one(message('clearing', 2), message('refund', 5, { ...refund, amount }))).toMatchObject({
      refundedCents: 12_10,
    })
  })

  test('refundTransactionId links in both directions', () => {
    const from = message('refund', 5, { id: 'refund', amount: '-12.10', refundTransactionId: 'meal' })
    expect(fold([message('clearing', 2), from])).toMatchObject([{ networkId: 'meal', refundedCents: 12_10 }])
    const named = message('clearing', 6, { refundTransactionId: 'refund' })
    const bare = message('clearing', 5, { id: 'refund', amount: '-12.10' })
    expect(fold([named, bare])).toMatchObject([{ networkId: 'meal', refundedCents: 12_10 }])
  })

  test('an authorization reduced to zero leaves an amount of zero', () => {
    expect(one(message('auth', 1), message('auth', 2, { amount: 0 }))).toMatchObject({
      stage: 'authorized',
      ticketCents: 0,
    })
  })
})

describe('message identity', () => {
  test('the same event, id and update time are one message, in any time notation', () => {
    const utc = message('auth', 1, { updated: '2026-03-10T23:01:00Z' })
    const offset = message('auth', 1, { updated: '2026-03-10T19:01:00.000-04:00' })
    expect(messageIdOf(utc)).toBe(messageIdOf(offset))
    expect(messageIdOf(utc)).not.toBe(messageIdOf(message('auth', 2)))
    expect(messageIdOf(utc)).not.toBe(messageIdOf(message('clearing', 1)))
  })

  test('a time without an offset is in UTC, whatever the time zone of the server is', () => {
    vi.stubEnv('TZ', 'America/New_York')
    expect(new Date('2026-03-10T23:01:00').toISOString()).toBe('2026-03-11T03:01:00.000Z')
    for (const updated of ['2026-03-10T23:01:00', '2026-03-10T23:01:00Z', '2026-03-10T19:01:00-0400'])
      expect(updatedAt(feedEvent('transaction.auth', { updated }))).toBe(Date.UTC(2026, 2, 10, 23, 1))
  })

  test('an event about the network’s own offers is not a feed message', () => {
    expect(toFeedMessage(feedEvent('transaction.clearing.qualified'))).toBeNull()
  })
})
