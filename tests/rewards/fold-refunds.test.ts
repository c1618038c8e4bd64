import { describe, expect, test } from 'vitest'
import type { FeedEvent, NetworkTransaction } from '../../src/rewards/feed/contract.ts'
import { foldMessages } from '../../src/rewards/feed/fold.ts'
import { groupConnected } from '../../src/rewards/feed/group-connected.ts'
import { isRefundMessage, messageIdOf, toFeedMessage } from '../../src/rewards/feed/message.ts'
import { groupPurchases } from '../../src/rewards/feed/purchases.ts'
import { feedEvent } from '../support/reward-fixtures.ts'

type Over = Partial<NetworkTransaction>
const day = (count: number, time = '12:00:00.000Z') =>
  `${new Date(Date.UTC(2026, 0, 1 + count)).toISOString().slice(0, 10)}T${time}`
const message = (name: 'auth' | 'clearing' | 'refund', over: Over = {}) =>
  feedEvent(`transaction.${name}`, { id: 'meal', amount: '42.10', datetime: day(0), updated: day(0), ...over })
/** A refund that names no purchase. */
const unlinked = (over: Over = {}) => message('refund', { id: 'refund', amount: '-10.00', datetime: day(5), ...over })
const parse = (events: readonly FeedEvent[]) => events.map(toFeedMessage).filter((each) => each !== null)
const fold = (...events: FeedEvent[]) => foldMessages(parse(events))
/** Refunded cents by transaction, which must not depend on the order of the messages. */
function refundedOf(...events: FeedEvent[]): Record<string, number> {
  const refunded = (list: FeedEvent[]) =>
    Object.fromEntries(fold(...list).map(({ networkId, refundedCents }) => [networkId, refundedCents]))
  expect(refunded(events.toReversed())).toEqual(refunded(events))
  return refunded(events)
}

describe('a refund that names no purchase', () => {
  test('counts for the purchase with the same card at the same place, and for none of others', () => {
    const others = [
      message('clearing', { id: 'other-card', card: { id: 'token-9', lastNumbers: '0009' } }),
      message('clearing', { id: 'other-place', location: { id: 'loc-9' } }),
    ]
    expect(refundedOf(message('clearing'), ...others, unlinked())).toEqual({
      meal: 10_00,
      'other-card': 0,
      'other-place': 0,
    })
    expect(refundedOf(...others, unlinked())).toEqual({ 'other-card': 0, 'other-place': 0 })
    expect(fold(unlinked())).toEqual([])
  })

  test('counts for the last purchase before it, not for a later one', () => {
    const purchases = [
      message('clearing', { id: 'first', datetime: day(1) }),
      message('clearing', { id: 'second', datetime: day(3) }),
      message('clearing', { id: 'later', datetime: day(6) }),
    ]
    expect(refundedOf(...purchases, unlinked())).toEqual({ first: 0, second: 10_00, later: 0 })
    // The moment itself is early enough.
    const same = message('clearing', { id: 'same', datetime: day(5) })
    expect(refundedOf(...purchases, same, unlinked())).toEqual({ first: 0, second: 0, same: 10_00, later: 0 })
  })

  test('counts for 180 days, to the millisecond', () => {
    const at = (datetime: string) => refundedOf(message('clearing'), unlinked({ datetime }))
    expect(at(day(180))).toEqual({ meal: 10_00 })
    expect(at(day(180, '12:00:00.001Z'))).toEqual({ meal: 0 })
  })

  test('counts where the rest of the purchase covers it, else for an earlier one', () => {
    const small = message('clearing', { id: 'small', amount: '10.00', datetime: day(2) })
    const large = message('clearing', { id: 'large', amount: '50.00', datetime: day(1) })
    expect(refundedOf(small, large, unlinked())).toEqual({ small: 10_00, large: 0 })
    expect(refundedOf(small, large, unlinked({ amount: '-10.01' }))).toEqual({ small: 0, large: 10_01 })
    // The first of two refunds uses the rest of the later purchase.
    const two = [unlinked({ datetime: day(4) }), unlinked({ id: 'refund-2', amount: '-5.00', datetime: day(5) })]
    expect(refundedOf(small, large, ...two)).toEqual({ small: 10_00, large: 5_00 })
    // A refund that names its purchase has used it before.
    const linked = message('refund', { id: 'linked', amount: '-6.00', originalTransactionId: 'small' })
    expect(refundedOf(small, large, linked, unlinked())).toEqual({ small: 6_00, large: 10_00 })
  })

  test('of an authorization compares with the authorized amount, of a cleared one with the cleared amount', () => {
    const auth = message('auth', { amount: '10.00' })
    expect(refundedOf(auth, unlinked())).toEqual({ meal: 10_00 })
    expect(refundedOf(auth, message('clearing', { amount: '8.00' }), unlinked())).toEqual({ meal: 0 })
    expect(
      refundedOf(message('auth', { amount: '8.00' }), message('clearing', { amount: '10.00' }), unlinked()),
    ).toEqual({
      meal: 10_00,
    })
  })

  test('of equal times always counts for the same purchase, by its id', () => {
    const purchases = ['b', 'a', 'c'].map((id) => message('clearing', { id }))
    expect(refundedOf(...purchases, unlinked())).toEqual({ a: 10_00, b: 0, c: 0 })
  })

  test('that names another transaction which never arrived waits for that one', () => {
    expect(refundedOf(message('clearing'), unlinked({ originalTransactionId: 'unknown' }))).toEqual({ meal: 0 })
    const named = message('clearing', { id: 'refund', amount: '-10.00', datetime: day(5), refundTransactionId: 'x' })
    expect(refundedOf(message('clearing'), unlinked(), named)).toEqual({ meal: 0 })
  })

  test('applies with its latest message', () => {
    const later = unlinked({ amount: '-12.00', updated: day(9) })
    expect(refundedOf(message('clearing'), unlinked({ updated: day(8) }), later)).toEqual({ meal: 12_00 })
  })
})

describe('a refund that is named', () => {
  test('in one of its messages only, or by the purchase only, counts for it', () => {
    const bare = message('clearing', { id: 'refund', amount: '-10.00' })
    const naming = message('refund', { id: 'refund', amount: '-10.00', originalTransactionId: 'meal' })
    const [other, meal] = [message('clearing', { id: 'a-meal', datetime: day(1) }), message('clearing')]
    expect(refundedOf(other, meal, bare, naming)).toEqual({ 'a-meal': 0, meal: 10_00 })
    const purchase = message('clearing', { refundTransactionId: 'refund' })
    expect(refundedOf(other, purchase, message('auth', { updated: day(-1) }), bare)).toEqual({
      'a-meal': 0,
      meal: 10_00,
    })
  })

  test('by one of two connected purchases counts for that one', () => {
    const events = [
      message('clearing', { id: 'a', refundTransactionId: 'b' }),
      message('auth', { id: 'b' }),
      message('clearing', { id: 'b', refundTransactionId: 'r' }),
      message('clearing', { id: 'r', amount: '-10.00' }),
    ]
    expect(refundedOf(...events)).toEqual({ a: 0, b: 10_00 })
  })

  test('of two purchases that are connected counts for the one that it names', () => {
    const events = (named: string) => [
      message('clearing', { id: 'a' }),
      message('clearing', { id: 'b', refundTransactionId: 'a' }),
      message('refund', { id: 'r', amount: '-10.00', originalTransactionId: named }),
    ]
    expect(refundedOf(...events('a'))).toEqual({ a: 10_00, b: 0 })
    expect(refundedOf(...events('b'))).toEqual({ a: 0, b: 10_00 })
  })

  test('whose purchase is named by another message of it counts for the connected purchase', () => {
    const chain = [
      message('clearing', { id: 'meal' }),
      message('refund', { id: 'r1', amount: '-5.00', originalTransactionId: 'meal' }),
      message('refund', { id: 'r2', amount: '-4.00', originalTransactionId: 'r1' }),
    ]
    expect(refundedOf(...chain)).toEqual({ meal: 9_00 })
  })

  test('and lacks its sign in the clearing is not a second purchase', () => {
    const plain = { id: 'refund', amount: '10.00', originalTransactionId: 'meal', updated: day(5) }
    const events = [message('clearing'), message('refund', plain), message('clearing', plain)]
    expect(fold(...events)).toMatchObject([{ networkId: 'meal', clearedCents: 42_10, refundedCents: 10_00 }])
    // An authorization with the id of a refund belongs to the purchase that it names, and so does a clearing that names none.
    expect(fold(message('clearing'), message('clearing', plain))).toMatchObject([
      { networkId: 'meal', refundedCents: 0, messageNetworkIds: ['meal', 'refund'] },
    ])
    const unnamed = message('clearing', { id: 'refund', amount: '10.00' })
    expect(fold(unnamed, message('refund', { id: 'refund', amount: '-10.00' }))).toMatchObject([
      { networkId: 'refund', clearedCents: 10_00, refundedCents: 10_00, stage: 'refunded' },
    ])
  })

  test('HIST-053 Case 150 twice, with two ids and without a code, at one moment, counts once', () => {
    const refund = (id: string, over: Over = {}) =>
      message('refund', { id, amount: '-10.00', datetime: day(5), originalTransactionId: 'meal', ...over })
    expect(refundedOf(message('clearing'), refund('r1'), refund('r2'))).toEqual({ meal: 10_00 })
    const { originalTransactionId: _, ...bare } = refund('r2').transaction
    const unnamed = { event: 'transaction.refund', transaction: bare } as FeedEvent
    expect(refundedOf(message('clearing'), refund('r1'), unnamed)).toEqual({ meal: 10_00 })
    expect(refundedOf(message('clearing'), unlinked(), unlinked({ id: 'r2' }))).toEqual({ meal: 10_00 })
    // A second later, with two codes, of another amount, or of a network that knows only the day: two refunds.
    const later = refund('r2', { datetime: day(5, '12:00:01.000Z') })
    expect(refundedOf(message('clearing'), refund('r1'), later)).toEqual({ meal: 20_00 })
    const codes = [refund('r1', { authCode: 'R1' }), refund('r2', { authCode: 'R2' })]
    expect(refundedOf(message('clearing'), ...codes)).toEqual({ meal: 20_00 })
    expect(refundedOf(message('clearing'), refund('r1'), refund('r2', { amount: '-10.01' }))).toEqual({ meal: 20_01 })
    for (const datetime of [day(5, '00:00:00.000Z'), day(5, '00:00:00'), day(5, '00:00:00-05:00')]) {
      const days = [refund('r1', { datetime }), refund('r2', { datetime })]
      expect([datetime, refundedOf(message('clearing'), ...days)]).toEqual([datetime, { meal: 20_00 }])
    }
    expect(
      refundedOf(message('clearing'), ...['r1', 'r2'].map((id) => refund(id, { datetime: day(5, '00:00:01') }))),
    ).toEqual({ meal: 10_00 })
  })

  test('HIST-053 Case 150 in another currency than the purchase takes nothing back', () => {
    const refund = (over: Over) => message('refund', { id: 'r', amount: '-10.00', datetime: day(5), ...over })
    for (const named of [{ originalTransactionId: 'meal' }, {}]) {
      expect(refundedOf(message('clearing'), refund({ ...named, currency: 'JPY' }))).toEqual({ meal: 0 })
      expect(refundedOf(message('clearing', { currency: 'JPY' }), refund({ ...named, currency: 'JPY' }))).toEqual({
        meal: 10_00,
      })
    }
    // A correction of its currency counts.
    const corrected = refund({ originalTransactionId: 'meal', updated: day(9) })
    const first = refund({ originalTransactionId: 'meal', currency: 'JPY', updated: day(6) })
    expect(refundedOf(message('clearing'), first, corrected)).toEqual({ meal: 10_00 })
  })

  test('HIST-053 Case 150 and carries the id of the clearing that completed the authorization leaves that clearing a purchase', () => {
    const clearing = message('clearing', { id: 'charge', amount: '50.00', originalTransactionId: 'meal' })
    const refund = (over: Over) => message('refund', { id: 'charge', amount: '-20.00', ...over })
    for (const named of [{}, { originalTransactionId: 'meal' }, { originalTransactionId: 'charge' }]) {
      const events = [message('auth'), clearing, refund(named)]
      expect(fold(...events)).toMatchObject([{ networkId: 'meal', clearedCents: 50_00, refundedCents: 20_00 }])
      expect(refundedOf(...events)).toEqual({ meal: 20_00 })
    }
    // Also one without an authorization, which only the refund names.
    expect(fold(message('clearing', { id: 'charge' }), refund({ originalTransactionId: 'meal' }))).toMatchObject([
      { clearedCents: 42_10, refundedCents: 20_00 },
    ])
    // The clearing of that refund, in turn, with its sign and without it.
    for (const amount of ['-20.00', '20.00']) {
      const ofRefund = message('clearing', { id: 'r', amount, originalTransactionId: 'meal' })
      const events = [message('auth'), clearing, ofRefund, refund({ id: 'r', originalTransactionId: 'meal' })]
      expect(fold(...events)).toMatchObject([{ clearedCents: 50_00, refundedCents: 20_00 }])
    }
    // All of it refunded: nothing is left, whichever of the two the clearing is.
    const whole = fold(message('auth'), clearing, refund({ amount: '-50.00', originalTransactionId: 'meal' }))
    expect(whole).toMatchObject([{ stage: 'refunded' }])
  })

  test('a refund of zero or a clearing of zero is no refund by its sign', () => {
    expect([
      isRefundMessage({ event: 'clearing', cents: 0 }),
      isRefundMessage({ event: 'clearing', cents: -1 }),
    ]).toEqual([false, true])
    expect([isRefundMessage({ event: 'refund', cents: 5 }), isRefundMessage({ event: 'auth', cents: -1 })]).toEqual([
      true,
      false,
    ])
    expect(fold(message('auth', { amount: '-1.00' }))).toEqual([])
  })
})

describe('of several messages of one transaction', () => {
  test('the one updated last applies; of equal times the refund, then the larger amount, then always the same', () => {
    const clearing = (over: Over) => message('clearing', over)
    expect(
      fold(clearing({ amount: '50.00', updated: day(1) }), clearing({ amount: '40.00', updated: day(2) })),
    ).toMatchObject([{ clearedCents: 40_00, clearedAt: Date.parse(day(2)) }])
    for (const order of [
      ['50.00', '40.00'],
      ['40.00', '50.00'],
    ])
      expect(fold(...order.map((amount) => clearing({ amount })))).toMatchObject([{ clearedCents: 50_00 }])
    const named = ['Bistro A', 'Bistro B'].map((name) => clearing({ brand: { name } }))
    const names = [named, named.toReversed()].map((list) => fold(...list)[0]?.merchantName)
    expect(new Set(names).size).toBe(1)
    const both = [
      message('refund', { id: 'r', amount: '-10.00', originalTransactionId: 'meal' }),
      message('clearing', { id: 'r', amount: '-12.00', originalTransactionId: 'meal' }),
    ]
    expect(refundedOf(clearing({}), ...both)).toEqual({ meal: 10_00 })
  })

  test('tip, tax and PIN are those of the final amount, else of the authorization or of the difference', () => {
    const auth = message('auth', { amount: '40.00', tipAmount: null, taxAmount: '3.00', verification: 'pin' })
    const clearing = (over: Over = {}) => message('clearing', { amount: '48.00', ...over })
    expect(fold(auth)).toMatchObject([{ tipCents: 0, taxCents: 3_00, pinDebit: true, stage: 'authorized' }])
    expect(fold(auth, clearing())).toMatchObject([
      { ticketCents: 40_00, tipCents: 8_00, taxCents: 3_00, pinDebit: true },
    ])
    expect(fold(auth, clearing({ amount: '39.00' }))).toMatchObject([{ tipCents: 0 }])
    expect(fold(auth, clearing({ tipAmount: '7.00', taxAmount: '4.00' }))).toMatchObject([
      { tipCents: 7_00, taxCents: 4_00 },
    ])
    expect(fold(auth, clearing({ tipAmount: 0 }))).toMatchObject([{ tipCents: 0 }])
    expect(fold(clearing())).toMatchObject([{ ticketCents: 48_00, tipCents: 0, taxCents: 0, pinDebit: false }])
  })

  test('a PIN with a credit card is no debit, and a signature neither', () => {
    const pin = (verification: 'pin' | 'signature', funding?: 'credit' | 'debit') => {
      const card = { id: 't', lastNumbers: '0001', ...(funding && { funding }) }
      return toFeedMessage(message('auth', { verification, card }))?.pinDebit
    }
    expect([pin('pin'), pin('pin', 'debit'), pin('pin', 'credit'), pin('signature', 'debit')]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  test('the ids of all its messages are listed once, in order', () => {
    const refund = message('refund', { id: 'a-refund', amount: '-1.00', originalTransactionId: 'meal' })
    expect(fold(message('auth'), message('clearing'), refund)).toMatchObject([
      { messageNetworkIds: ['a-refund', 'meal'] },
    ])
  })

  test('a purchase that names itself names none, and a clearing with a new id completes its authorization', () => {
    expect(
      toFeedMessage(message('auth', { originalTransactionId: 'meal', refundTransactionId: 'meal' })),
    ).toMatchObject({
      originalId: null,
      relatedId: null,
    })
    const completing = message('clearing', { id: 'new', amount: '50.00', originalTransactionId: 'meal' })
    expect(fold(message('auth'), completing)).toMatchObject([
      { networkId: 'meal', ticketCents: 42_10, clearedCents: 50_00 },
    ])
  })

  test('a time without an offset is UTC, in every notation', () => {
    const idOf = (updated: string) => messageIdOf(message('auth', { updated }))
    const utc = idOf('2026-03-10T23:01:00Z')
    for (const updated of [
      '2026-03-10T23:01:00',
      '2026-03-10T23:01:00z',
      '2026-03-10T19:01:00-04:00',
      '2026-03-10T19:01:00-0400',
    ])
      expect([updated, idOf(updated)]).toEqual([updated, utc])
  })

  test('a message without a brand has an empty name', () => {
    const { brand: _, ...transaction } = message('auth').transaction
    const parsed = toFeedMessage({ event: 'transaction.auth', transaction } as FeedEvent)
    expect(parsed?.merchantName).toBe('')
  })
})

describe('groups of connected items', () => {
  const groups = (...items: string[][]) => groupConnected(items, (item) => item)

  test('are joined by any shared name, directly or through others, in the order of their first items', () => {
    expect(groups(['a'], ['b'], ['a', 'c'], ['c'], ['d', 'b'])).toEqual([
      [['a'], ['a', 'c'], ['c']],
      [['b'], ['d', 'b']],
    ])
    // A chain that the last item closes.
    expect(groups(['a', 'b'], ['c', 'd'], ['e', 'f'], ['b', 'c'], ['d', 'e'])).toHaveLength(1)
    expect(groups(['a', 'b'], ['c', 'd'], ['e', 'f'], ['b', 'c'])).toHaveLength(2)
  })

  test('items without a name are one group of their own', () => {
    expect(groups([], ['a'], [])).toEqual([[[], []], [['a']]])
  })
})

test('a purchase is a group with its refunds, whatever else is near', () => {
  const grouped = groupPurchases(
    parse([
      message('auth'),
      message('clearing', { updated: day(1) }),
      message('refund', { id: 'r', amount: '-1.00', originalTransactionId: 'meal' }),
      message('clearing', { id: 'other' }),
    ]),
  )
  expect(grouped.map(({ report, refunds }) => [report.id, report.messages.length, refunds.length])).toEqual([
    ['meal', 2, 1],
    ['other', 1, 0],
  ])
})
