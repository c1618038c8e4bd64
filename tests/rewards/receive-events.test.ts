import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../src/platform/http/context.ts'
import { DAY } from '../../src/platform/time.ts'
import type { FeedEvent, NetworkTransaction } from '../../src/rewards/feed/contract.ts'
import { rematchUnmatched } from '../../src/rewards/feed/receive-events.ts'
import { getBalance } from '../../src/rewards/ledger/entries.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import {
  addCard,
  addMember,
  addMerchant,
  createTestContext,
  findLedgerViolations,
  receiveEvent,
  type TestPartner,
} from '../support/rewards-harness.ts'
import { scaled } from '../support/scale.ts'

const harness = setUpTestHarness()

/** Inserts a member at a restaurant, and returns a helper that makes the network's messages about them. */
async function createFixture(partnerId: TestPartner, options: { maxVisitsPerMonth?: number; tier?: string } = {}) {
  const ctx = createTestContext(harness, partnerId)
  const memberId = await addMember(ctx.db, options)
  const card = await addCard(ctx.db, memberId)
  const merchant = await addMerchant(ctx.db, options)
  const message = (
    name: 'auth' | 'clearing' | 'refund',
    minute: number,
    over: Partial<NetworkTransaction> = {},
  ): FeedEvent =>
    feedEvent(`transaction.${name}`, {
      programId: partnerId,
      updated: new Date(Date.UTC(2026, 2, 11, 0, minute)).toISOString(),
      card: { id: card.token, lastNumbers: card.lastFour },
      location: { id: merchant.locationId },
      ...over,
    })
  const findTransaction = (networkId: string) =>
    ctx.db.selectFrom('transactions').selectAll().where('network_id', '=', networkId).executeTakeFirst()
  return {
    ctx,
    memberId,
    card,
    merchant,
    message,
    findTransaction,
    balance: () => getBalance(ctx.db, memberId, unitFor(partnerId)),
  }
}

const unitFor = (partnerId: TestPartner) => (partnerId === 'skyharbor' ? 'mile' : 'cent')

async function deliver(ctx: Ctx, events: readonly FeedEvent[]) {
  const outcomes: string[] = []
  for (const event of events) outcomes.push(await receiveEvent(ctx, event))
  return outcomes
}

describe('a transaction from authorization to refund', () => {
  test('an authorization shows the expected award and posts nothing; the clearing posts it with the tip', async () => {
    const { ctx, message, findTransaction, balance } = await createFixture('skyharbor')
    const id = randomUUID()
    await deliver(ctx, [message('auth', 1, { id, amount: '42.10' })])
    expect(await findTransaction(id)).toMatchObject({
      award_status: 'Pending',
      benefit: 126,
      ticket_cents: 42_10,
      cleared_cents: 0,
    })
    expect(await balance()).toBe(0)
    await deliver(ctx, [message('clearing', 2, { id, amount: '50.52' })])
    expect(await findTransaction(id)).toMatchObject({ award_status: 'Awarded', benefit: 151, cleared_cents: 50_52 })
    expect(await balance()).toBe(151)
  })

  test('a refund months later reverses what was earned then, although tier and offer have changed', async () => {
    const { ctx, message, findTransaction, balance, memberId, merchant } = await createFixture('skyharbor')
    const id = randomUUID()
    await deliver(ctx, [message('clearing', 1, { id })])
    await ctx.db.updateTable('members').set({ tier_level: 'VIP' }).where('id', '=', memberId).execute()
    await ctx.db
      .updateTable('merchant_offers')
      .set({ rate_percent: 900 })
      .where('merchant_id', '=', merchant.id)
      .execute()
    const part = { id: randomUUID(), originalTransactionId: id, amount: '-2.10' }
    await deliver(ctx, [message('refund', 100, part)])
    expect(await balance()).toBe(120)
    await deliver(ctx, [message('refund', 101, { ...part, id: randomUUID(), amount: '-40.00' })])
    expect(await findTransaction(id)).toMatchObject({ stage: 'refunded', award_status: 'Forfeit', benefit: 0 })
    expect(await balance()).toBe(0)
    const journals = await ctx.db
      .selectFrom('journal_entries')
      .select(['kind', 'version'])
      .where('source_id', '=', id)
      .execute()
    expect(journals).toEqual([
      { kind: 'award', version: 1 },
      { kind: 'refund', version: 2 },
      { kind: 'refund', version: 3 },
    ])
  })

  test('a refund that arrives first is unmatched and counts once its transaction arrives', async () => {
    const { ctx, message, balance } = await createFixture('skyharbor')
    const id = randomUUID()
    const refund = message('refund', 5, { id: randomUUID(), originalTransactionId: id, amount: '-12.10' })
    expect(await deliver(ctx, [refund, message('clearing', 1, { id })])).toEqual(['unmatched', 'applied'])
    expect(await balance()).toBe(90)
  })

  test('a refund without a reference stays deducted when a late authorization names another card or restaurant', async () => {
    const { ctx, message, findTransaction } = await createFixture('skyharbor')
    const others = [{ card: { id: randomUUID(), lastNumbers: '0009' } }, { location: { id: randomUUID() } }]
    for (const [index, other] of others.entries()) {
      const id = randomUUID()
      const bought = message('clearing', 2, { id, amount: '42.10' })
      // Refunds of one moment and amount would be one.
      const datetime = `2026-03-11T23:3${index}:00.000Z`
      const back = message('refund', 9, { id: randomUUID(), amount: '-42.10', datetime })
      await deliver(ctx, [bought, back, message('auth', 1, { id, amount: '40.00', ...other })])
      expect(await findTransaction(id)).toMatchObject({ ticket_cents: 40_00, refunded_cents: 42_10, stage: 'refunded' })
    }
  })

  test('a refund of a refund, and so on, is deducted from the transaction that the first one names', async () => {
    const { ctx, message, findTransaction } = await createFixture('skyharbor')
    const id = randomUUID()
    await deliver(ctx, [message('clearing', 1, { id })])
    let named = id
    for (const amount of ['-8.00', '-4.00', '-2.00', '-1.00']) {
      const refund = { id: randomUUID(), originalTransactionId: named, amount }
      expect(await deliver(ctx, [message('refund', 2, refund)])).toEqual(['applied'])
      named = refund.id
    }
    expect(await findTransaction(id)).toMatchObject({ refunded_cents: 15_00 })
  })

  test('an amount in another currency is stored, earns nothing and is not shown as dollars', async () => {
    const { ctx, message, findTransaction } = await createFixture('skyharbor')
    const id = randomUUID()
    const cad = { id, currency: 'CAD' }
    const refund = { currency: 'CAD', id: randomUUID(), originalTransactionId: id, amount: '-2.10' }
    await deliver(ctx, [message('auth', 0, cad), message('clearing', 1, cad), message('refund', 2, refund)])
    expect(await findTransaction(id)).toMatchObject({
      ticket_cents: 0,
      cleared_cents: 0,
      refunded_cents: 0,
      benefit: 0,
      reason: expect.objectContaining({ code: 'currencyNotSupported', currency: 'CAD' }),
    })
  })
})

describe('matching', () => {
  test('a transaction whose card is linked later is matched again and says why it earned nothing', async () => {
    const { ctx, message, findTransaction, memberId } = await createFixture('skyharbor')
    const [id, token] = [randomUUID(), randomUUID()]
    const event = message('clearing', 1, { id, card: { id: token, lastNumbers: '0002' } })
    expect(await deliver(ctx, [event])).toEqual(['unmatched'])
    expect(await findTransaction(id)).toMatchObject({ unmatched: 'card', member_id: null, award_status: 'Deferred' })
    await addCard(ctx.db, memberId, { token, linkedAt: new Date('2026-03-12T00:00:00Z') })
    expect(await rematchUnmatched(ctx, { cardToken: token })).toBe(1)
    expect(await rematchUnmatched(ctx, { cardToken: token })).toBe(0)
    expect(await findTransaction(id)).toMatchObject({
      unmatched: null,
      member_id: memberId,
      award_status: 'Forfeit',
      reason: expect.objectContaining({ code: 'cardLinkedTooLate' }),
    })
  })

  test('a transaction at a restaurant that joins later is matched again and earns', async () => {
    const { ctx, message, findTransaction, memberId, balance } = await createFixture('skyharbor')
    const [id, locationId] = [randomUUID(), randomUUID()]
    expect(await deliver(ctx, [message('clearing', 1, { id, location: { id: locationId } })])).toEqual(['unmatched'])
    expect(await findTransaction(id)).toMatchObject({
      unmatched: 'merchant',
      member_id: memberId,
      award_status: 'Deferred',
    })
    await addMerchant(ctx.db, { locationId })
    expect(await rematchUnmatched(ctx, { locationId })).toBe(1)
    expect(await rematchUnmatched(ctx, { locationId })).toBe(0)
    expect(await findTransaction(id)).toMatchObject({ unmatched: null, award_status: 'Awarded', benefit: 126 })
    expect(await balance()).toBe(126)
  })

  test('a transaction before the last card was removed earns, although that closed the account', async () => {
    const { ctx, message, findTransaction, memberId, card } = await createFixture('skyharbor')
    const removed_at = new Date('2026-03-12T00:00:00Z')
    await ctx.db.updateTable('cards').set({ removed_at }).where('id', '=', card.id).execute()
    const change = (over: object) => ctx.db.updateTable('members').set(over).where('id', '=', memberId).execute()
    await change({ member_type: 'ClosedAccountMember', active: false })
    const [id, other] = [randomUUID(), randomUUID()]
    await deliver(ctx, [message('clearing', 1, { id })])
    expect(await findTransaction(id)).toMatchObject({ award_status: 'Awarded', benefit: 126 })
    // An account that was closed with its card linked earns nothing.
    await ctx.db.updateTable('cards').set({ removed_at: null }).where('id', '=', card.id).execute()
    await deliver(ctx, [message('clearing', 2, { id: other })])
    expect(await findTransaction(other)).toMatchObject({ reason: expect.objectContaining({ code: 'closedAccount' }) })
  })

  test('the name of an unknown restaurant is that of a chain only if one that participates has it', async () => {
    const { ctx, merchant, message, findTransaction } = await createFixture('skyharbor')
    const name = `Chain ${randomUUID()}`
    const reasonWhere = async (participating: boolean) => {
      await ctx.db.updateTable('merchants').set({ name, participating }).where('id', '=', merchant.id).execute()
      const id = randomUUID()
      const brand = { name: name.toUpperCase() }
      await deliver(ctx, [message('clearing', 1, { id, brand, location: { id: randomUUID() } })])
      return ((await findTransaction(id))?.reason as { code: string } | undefined)?.code
    }
    expect([await reasonWhere(true), await reasonWhere(false)]).toEqual(['locationNotEnrolled', 'merchantUnknown'])
  })

  test('a card that two members linked one after the other earns for the one who had it at the time', async () => {
    const { ctx, message, findTransaction, memberId, card } = await createFixture('skyharbor')
    const other = await addMember(ctx.db)
    await ctx.db
      .updateTable('cards')
      .set({ removed_at: new Date('2026-03-01T00:00:00Z') })
      .where('id', '=', card.id)
      .execute()
    await addCard(ctx.db, other, { token: card.token, linkedAt: new Date('2026-03-05T00:00:00Z') })
    const [before, between, after] = [randomUUID(), randomUUID(), randomUUID()]
    await deliver(ctx, [
      message('clearing', 1, { id: before, datetime: '2026-02-20T20:00:00Z' }),
      message('clearing', 1, { id: between, datetime: '2026-03-03T20:00:00Z' }),
      message('clearing', 1, { id: after, datetime: '2026-03-10T20:00:00Z' }),
    ])
    expect(await findTransaction(before)).toMatchObject({ member_id: memberId, award_status: 'Awarded' })
    expect(await findTransaction(after)).toMatchObject({ member_id: other, award_status: 'Awarded' })
    expect(await findTransaction(between)).toMatchObject({
      member_id: other,
      reason: expect.objectContaining({ code: 'cardLinkedTooLate' }),
    })
  })

  test.each(['before', 'after'])(
    'a clearing %s the authorization that names another restaurant moves the transaction',
    async (when) => {
      const { ctx, message, findTransaction, balance } = await createFixture('skyharbor', { maxVisitsPerMonth: 1 })
      const otherMerchant = await addMerchant(ctx.db)
      const [id, second] = [randomUUID(), randomUUID()]
      const events = [
        message('auth', 1, { id }),
        message('clearing', 2, { id, location: { id: otherMerchant.locationId } }),
      ]
      // The visit that the moved transaction no longer uses is available to the next one.
      const next = message('clearing', 3, { id: second, datetime: '2026-03-11T23:30:00.000Z' })
      await deliver(
        ctx,
        when === 'before' ? [...events.toReversed(), next] : [events[0] as FeedEvent, next, events[1] as FeedEvent],
      )
      expect(await findTransaction(id)).toMatchObject({ merchant_id: otherMerchant.id, award_status: 'Awarded' })
      expect(await findTransaction(second)).toMatchObject({ award_status: 'Awarded' })
      expect(await balance()).toBe(252)
    },
  )

  test('another partner sees nothing of a transaction', async () => {
    const { ctx, message } = await createFixture('skyharbor')
    const id = randomUUID()
    await deliver(ctx, [message('clearing', 1, { id })])
    const otherDb = createTestContext(harness, 'beacon').db
    expect(await otherDb.selectFrom('transactions').select('id').where('network_id', '=', id).execute()).toEqual([])
  })
})

describe('repeated, reordered and concurrent messages', () => {
  test('Case 4 a message replayed a hundred times is applied once', async () => {
    const { ctx, message, balance, memberId } = await createFixture('skyharbor')
    const event = message('clearing', 1, { id: randomUUID() })
    const outcomes = await deliver(
      ctx,
      Array.from({ length: 100 }, () => event),
    )
    expect(outcomes.filter((outcome) => outcome !== 'repeated')).toEqual(['applied'])
    expect(await balance()).toBe(126)
    const postings = await ctx.db.selectFrom('postings').selectAll().where('member_id', '=', memberId).execute()
    expect(postings).toHaveLength(1)
  })

  test('twenty concurrent deliveries of one message have one effect', async () => {
    const { ctx, message, balance } = await createFixture('skyharbor')
    const event = message('clearing', 1, { id: randomUUID() })
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => receiveEvent(ctx, event)))
    expect(outcomes.filter((outcome) => outcome !== 'repeated')).toEqual(['applied'])
    expect(await balance()).toBe(126)
  })

  test('a corrected amount changes what a later visit earns of the month’s amount', async () => {
    const { ctx, merchant, message, findTransaction } = await createFixture('skyharbor')
    await ctx.db
      .updateTable('merchant_offers')
      .set({ type: 'Limited', max_monthly_spend_cents: 100_00 })
      .where('merchant_id', '=', merchant.id)
      .execute()
    const [first, second] = [randomUUID(), randomUUID()]
    const clear = (id: string, minute: number, amount: string, datetime: string) =>
      message('clearing', minute, { id, amount, datetime })
    await deliver(ctx, [
      clear(first, 1, '80.00', '2026-03-10T20:00:00Z'),
      clear(second, 2, '50.00', '2026-03-11T20:00:00Z'),
    ])
    expect((await findTransaction(second))?.benefit).toBe(60)
    await deliver(ctx, [clear(first, 3, '90.00', '2026-03-10T20:00:00Z')])
    expect((await findTransaction(second))?.benefit).toBe(30)
    expect(await findLedgerViolations(ctx.db)).toEqual([])
  })

  test('a transaction whose corrected date is in another month leaves its place to a later visit', async () => {
    const { ctx, message, findTransaction } = await createFixture('skyharbor', { maxVisitsPerMonth: 1 })
    const [first, second] = [randomUUID(), randomUUID()]
    const clear = (id: string, minute: number, datetime: string) =>
      message('clearing', minute, { id, amount: '40.00', datetime })
    const benefits = async () => [(await findTransaction(first))?.benefit, (await findTransaction(second))?.benefit]
    await deliver(ctx, [clear(first, 1, '2026-02-10T20:00:00Z'), clear(second, 2, '2026-02-20T20:00:00Z')])
    expect(await benefits()).toEqual([120, 0])
    await deliver(ctx, [clear(first, 3, '2026-03-10T20:00:00Z')])
    expect(await benefits()).toEqual([120, 120])
    // In the month it comes to, it takes the place.
    await deliver(ctx, [clear(second, 4, '2026-03-09T20:00:00Z')])
    expect(await benefits()).toEqual([0, 120])
    expect(await findLedgerViolations(ctx.db)).toEqual([])
  })

  test('a month ends at midnight in the restaurant’s time, after it has ended in UTC', async () => {
    const { ctx, message, findTransaction } = await createFixture('skyharbor', { maxVisitsPerMonth: 1 })
    const [last, earlier] = [randomUUID(), randomUUID()]
    // Eleven in the evening of January 31 in New York.
    await deliver(ctx, [message('clearing', 1, { id: last, datetime: '2026-02-01T04:00:00Z' })])
    expect((await findTransaction(last))?.benefit).toBe(126)
    await deliver(ctx, [message('clearing', 2, { id: earlier, datetime: '2026-01-20T20:00:00Z' })])
    expect([(await findTransaction(earlier))?.benefit, (await findTransaction(last))?.benefit]).toEqual([126, 0])
  })

  test('the first visit of a month earns, the next one once the first is refunded, and a third one not', async () => {
    const { ctx, message, findTransaction } = await createFixture('skyharbor', { maxVisitsPerMonth: 1 })
    const ids = [randomUUID(), randomUUID(), randomUUID()] as const
    const visit = (index: number) => ({ id: ids[index], datetime: `2026-03-0${index + 1}T20:00:00Z` })
    for (const index of [0, 1, 2]) await deliver(ctx, [message('clearing', index, visit(index))])
    const benefits = async () => (await Promise.all(ids.map(findTransaction))).map((each) => each?.benefit)
    expect(await benefits()).toEqual([126, 0, 0])
    const refund = { id: randomUUID(), originalTransactionId: ids[0], amount: '-42.10' }
    await deliver(ctx, [message('refund', 3, refund)])
    expect(await benefits()).toEqual([0, 126, 0])
  })

  test('Case 5 any order of four transactions, a tip, corrections and refunds leaves one final state', async () => {
    const states = new Set<string>()
    const seed = 20_261
    for (const order of fc.sample(anyMessageOrder(), { numRuns: scaled({ full: 200, short: 10 }), seed })) {
      const { ctx, message, findTransaction, balance } = await createFixture('skyharbor', { maxVisitsPerMonth: 2 })
      const ids = { a: randomUUID(), b: randomUUID(), c: randomUUID(), d: randomUUID(), refund: randomUUID() }
      const events = monthOfMessages(message, ids)
      await deliver(
        ctx,
        order.map((index) => events[index] as FeedEvent),
      )
      const transactions = await Promise.all([ids.a, ids.b, ids.c, ids.d].map(findTransaction))
      states.add(
        JSON.stringify([
          await balance(),
          transactions.map((transaction) => [
            transaction?.stage,
            transaction?.award_status,
            transaction?.ticket_cents,
            transaction?.cleared_cents,
            transaction?.refunded_cents,
            transaction?.benefit,
            (transaction?.reason as { code: string } | undefined)?.code,
            transaction?.occurred_at,
            transaction?.cleared_at,
          ]),
        ]),
      )
    }
    expect([...states]).toHaveLength(1)
    expect([...states][0]).toMatch(/^\[150,.*"refunded".*"earned".*"earned".*"visitsUsedUp"/)
    expect(await findLedgerViolations(createTestContext(harness, 'skyharbor').db)).toEqual([])
  })

  test('Case 5 all messages of a month sent concurrently leave the same state as in order', async () => {
    for (let round = 0; round < 10; round++) {
      const { ctx, message, balance } = await createFixture('skyharbor', { maxVisitsPerMonth: 2 })
      const ids = { a: randomUUID(), b: randomUUID(), c: randomUUID(), d: randomUUID(), refund: randomUUID() }
      await Promise.all(monthOfMessages(message, ids).map((event) => receiveEvent(ctx, event)))
      expect(await balance()).toBe(60 + 90)
    }
    expect(await findLedgerViolations(createTestContext(harness, 'skyharbor').db)).toEqual([])
  })
})

type MessageFactory = Awaited<ReturnType<typeof createFixture>>['message']
const messageCount = 11

/** Two visits a month count. The first of four is refunded, so that the second and third earn, not the last. */
function monthOfMessages(
  message: MessageFactory,
  { a, b, c, d, refund }: Record<'a' | 'b' | 'c' | 'd' | 'refund', string>,
): FeedEvent[] {
  const back = { id: refund, originalTransactionId: a, amount: '-10.00' }
  return [
    message('auth', 1, { id: a, amount: '9.00', datetime: '2026-03-10T20:00:00Z' }),
    message('clearing', 2, { id: a, amount: '10.00', datetime: '2026-03-10T20:00:00Z' }),
    message('refund', 9, back),
    message('clearing', 9, back),
    message('auth', 1, { id: b, amount: '17.00', datetime: '2026-03-11T20:00:00Z' }),
    message('clearing', 3, { id: b, amount: '21.00', datetime: '2026-03-11T20:00:00Z' }),
    message('clearing', 4, { id: b, amount: '20.00', datetime: '2026-03-11T20:00:00Z' }),
    message('auth', 1, { id: c, amount: '30.00', datetime: '2026-03-12T20:00:00Z' }),
    message('auth', 2, { id: c, amount: '29.00', datetime: '2026-03-12T20:00:00Z' }),
    message('clearing', 5, { id: c, amount: '30.00', datetime: '2026-03-12T20:00:00Z' }),
    message('clearing', 6, { id: d, amount: '40.00', datetime: '2026-03-13T20:00:00Z' }),
  ]
}

/** Returns every message at least once, some again, in any order. */
function anyMessageOrder(): fc.Arbitrary<number[]> {
  const all = Array.from({ length: messageCount }, (_, index) => index)
  return fc
    .array(fc.constantFrom(...all), { maxLength: 3 })
    .chain((again) => fc.shuffledSubarray([...all, ...again], { minLength: all.length + again.length }))
}

test('an authorization is announced within a day of the visit; one that becomes known later or earns nothing is not', async () => {
  const { ctx, memberId, message } = await createFixture('skyharbor')
  await ctx.db
    .insertInto('notification_preferences')
    .values({ member_id: memberId, topic: 'mealSeen', channel: 'email', wanted: true })
    .execute()
  const datetime = '2026-03-10T23:30:00.000Z'
  const announcedAfter = async (ms: number, over: Partial<NetworkTransaction> = {}) => {
    const id = randomUUID()
    const now = new Date(Date.parse(datetime) + ms)
    await receiveEvent({ ...ctx, now: () => now }, message('auth', 0, { id, datetime, ...over }))
    const told = ctx.db.selectFrom('notifications').select('about').where('member_id', '=', memberId)
    return (await told.where('topic', '=', 'mealSeen').where('about', '=', id).execute()).length > 0
  }
  expect([await announcedAfter(0), await announcedAfter(DAY - 1), await announcedAfter(DAY)]).toEqual([
    true,
    true,
    false,
  ])
  expect(await announcedAfter(0, { location: { id: 'unknown' } })).toBe(false)
})
