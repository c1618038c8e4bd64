import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import pino from 'pino'
import { describe, expect, test, vi } from 'vitest'
import { acquireAdvisoryLock } from '../../src/platform/database/db.ts'
import { ApiError } from '../../src/platform/errors.ts'
import { anonymousActor, type Ctx } from '../../src/platform/http/context.ts'
import type { FeedEvent, NetworkTransaction } from '../../src/rewards/feed/contract.ts'
import { createIntake } from '../../src/rewards/feed/intake.ts'
import { partitionCount, partitionOf, withPartitionLocks } from '../../src/rewards/feed/partitions.ts'
import { receiveEvents, rematchUnmatched } from '../../src/rewards/feed/receive-events.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import {
  addCard,
  addMember,
  addMerchant,
  createTestContext,
  findLedgerViolations,
  receiveEvent,
} from '../support/rewards-harness.ts'
import { scaled } from '../support/scale.ts'
import { whileLocked } from '../support/while-locked.ts'

const harness = setUpTestHarness()

function program(): Ctx {
  const ctx = createTestContext(harness, 'skyharbor')
  ctx.program.config.settlement = { restaurantFee: 1000, centsPer100Units: 130, partnerShare: 2000 }
  return ctx
}

/** What may happen to a transaction: amounts in cents, hours after the first day. */
const transactionScenario = fc.record({
  card: fc.nat(1),
  merchant: fc.nat(1),
  hour: fc.integer({ min: 0, max: 20 * 24 }),
  auth: fc.option(fc.integer({ min: 100, max: 90_00 }), { freq: 4 }),
  clearings: fc.array(fc.integer({ min: 100, max: 99_00 }), { maxLength: 3 }),
  /** Percent of the last charge; a lone refund names no purchase. */
  refunds: fc.array(
    fc.record({ percent: fc.integer({ min: 1, max: 100 }), isLone: fc.boolean(), twice: fc.boolean() }),
    {
      maxLength: 2,
    },
  ),
  movesTo: fc.option(fc.nat(1), { freq: 6 }),
})
type Scenario = typeof transactionScenario extends fc.Arbitrary<infer T> ? T : never

interface Fixture {
  tokens: readonly string[]
  locationIds: readonly string[]
  memberId: number
}

/** Inserts a member with two cards at two restaurants, of which one rewards two visits a month. */
async function createFixture(ctx: Ctx): Promise<Fixture> {
  const memberId = await addMember(ctx.db)
  const cards = [await addCard(ctx.db, memberId), await addCard(ctx.db, memberId)]
  const locationIds = [await addMerchant(ctx.db, { maxVisitsPerMonth: 2 }), await addMerchant(ctx.db)]
  return {
    memberId,
    tokens: cards.map(({ token }) => token),
    locationIds: locationIds.map(({ locationId }) => locationId),
  }
}

const start = Date.UTC(2026, 2, 2, 20)
const at = (hour: number) => new Date(start + hour * 3_600_000).toISOString()

/** Returns the messages of the scenarios. Ids follow the index, so that two fixtures can receive the same scenarios. */
function messagesOf(scenarios: readonly Scenario[], { tokens, locationIds }: Fixture, prefix: string): FeedEvent[] {
  return scenarios.flatMap((scenario, index) => {
    const id = `${prefix}-${index}`
    const card = { id: tokens[scenario.card] as string, lastNumbers: '0002' }
    const message = (what: 'auth' | 'clearing' | 'refund', hour: number, over: Partial<NetworkTransaction>) =>
      feedEvent(`transaction.${what}`, {
        id,
        datetime: at(scenario.hour),
        updated: at(hour),
        card,
        location: { id: locationIds[scenario.merchant] as string },
        ...over,
      })
    const dollars = (cents: number) => (cents / 100).toFixed(2)
    const moved = scenario.movesTo === null ? {} : { location: { id: locationIds[scenario.movesTo] as string } }
    const charge = scenario.clearings.at(-1) ?? scenario.auth ?? 100
    return [
      ...(scenario.auth === null ? [] : [message('auth', scenario.hour, { amount: dollars(scenario.auth) })]),
      ...scenario.clearings.map((cents, nth) =>
        message('clearing', scenario.hour + 24 + nth, { amount: dollars(cents), ...(nth === 0 && moved) }),
      ),
      ...scenario.refunds.flatMap(({ percent, isLone, twice }, nth) => {
        const hour = scenario.hour + 60 + nth
        const over = {
          id: `${id}-refund-${nth}`,
          datetime: at(hour),
          amount: dollars(-Math.max(1, Math.floor((charge * percent) / 100))),
          ...(!isLone && { originalTransactionId: id }),
        }
        return [message('refund', hour, over), ...(twice ? [message('clearing', hour, over)] : [])]
      }),
    ]
  })
}

/** Returns the final state: every transaction, and every posting of the ledger. */
async function outcome(ctx: Ctx, { memberId, locationIds }: Fixture, prefix: string): Promise<unknown> {
  const { rows: transactions } = await sql`
    select replace(t.network_id, ${prefix}, '') as id, t.stage, t.award_status, t.ticket_cents, t.cleared_cents,
      t.refunded_cents, t.benefit, t.reason ->> 'code' as code, t.occurred_at, t.cleared_at, n.network_id = ${locationIds[0]} as first
    from transactions t join merchant_network_ids n on n.merchant_id = t.merchant_id
    where t.member_id = ${memberId} order by 1`.execute(ctx.db)
  const { rows: balances } = await sql`
    select p.account, p.unit, p.merchant_id is null as alone, sum(p.amount)::bigint as amount
    from postings p join journal_entries j on j.id = p.journal_entry_id
    where j.source_id like ${`${prefix}-%`} group by 1, 2, 3, p.merchant_id having sum(p.amount) <> 0 order by 1, 2, 4`.execute(
    ctx.db,
  )
  return { transactions, balances }
}

/** Returns every message at least once, some again, in any order. */
function shuffled<T>(messages: readonly T[], seed: number): T[] {
  const [order] = fc.sample(
    fc.array(fc.nat(Math.max(0, messages.length - 1)), { maxLength: 4 }).chain((again) => {
      const all = [...messages.keys(), ...(messages.length > 0 ? again : [])]
      return fc.shuffledSubarray(all, { minLength: all.length })
    }),
    { numRuns: 1, seed },
  )
  return (order ?? []).map((index) => messages[index] as T)
}

type Deliver = (ctx: Ctx, messages: readonly FeedEvent[], seed: number) => Promise<unknown>

const oneByOne: Deliver = async (ctx, messages) => {
  for (const message of messages) await receiveEvent(ctx, message)
}
const inBatches: Deliver = async (ctx, messages, seed) => {
  for (let from = 0; from < messages.length; from += 1 + (seed % 5)) {
    await receiveEvents(ctx, messages.slice(from, from + 1 + (seed % 5)))
  }
}
const allAtOnce: Deliver = (ctx, messages) => {
  const intake = createIntake()
  return Promise.all(messages.map((message) => intake.receive(ctx, message)))
}

describe('any order, any repetition, any grouping', () => {
  test.each([
    ['one by one', oneByOne],
    ['in batches', inBatches],
    ['all at once', allAtOnce],
  ])('Case 5 the same messages %s end in the same transactions and the same ledger', async (_, deliver) => {
    const ctx = program()
    await fc.assert(
      fc.asyncProperty(
        fc.array(transactionScenario, { minLength: 1, maxLength: 5 }),
        fc.nat(1e6),
        async (scenarios, seed) => {
          const [ordered, shuffledTable] = [await createFixture(ctx), await createFixture(ctx)]
          const [a, b] = [randomUUID().slice(0, 8), randomUUID().slice(0, 8)]
          await oneByOne(ctx, messagesOf(scenarios, ordered, a), seed)
          await deliver(ctx, shuffled(messagesOf(scenarios, shuffledTable, b), seed), seed)
          expect(await outcome(ctx, shuffledTable, b)).toEqual(await outcome(ctx, ordered, a))
        },
      ),
      { numRuns: scaled({ full: 50, short: 5 }) },
    )
    expect(await findLedgerViolations(ctx.db)).toEqual([])
  })

  test('Case 5 counterpart: an engine that uses only the first message is detected', async () => {
    const ctx = program()
    const firstMessageWins: Deliver = async (own, messages, seed) => {
      const seen = new Set<string>()
      await oneByOne(
        own,
        messages.filter(({ transaction }) => !seen.has(transaction.id) && seen.add(transaction.id)),
        seed,
      )
    }
    const scenarios: Scenario[] = [
      { card: 0, merchant: 0, hour: 1, auth: 40_00, clearings: [50_00], refunds: [], movesTo: null },
    ]
    const [ordered, shuffledTable] = [await createFixture(ctx), await createFixture(ctx)]
    await oneByOne(ctx, messagesOf(scenarios, ordered, 'calm'), 1)
    await firstMessageWins(ctx, messagesOf(scenarios, shuffledTable, 'mixed'), 1)
    expect(await outcome(ctx, shuffledTable, 'mixed')).not.toEqual(await outcome(ctx, ordered, 'calm'))
  })
})

describe('a refund without a reference', () => {
  test('is deducted from the latest earlier transaction that is large enough, and waits if there is none', async () => {
    const ctx = program()
    const fixture = await createFixture(ctx)
    const receive = (what: 'clearing' | 'refund', id: string, day: number, amount: string) =>
      receiveEvent(
        ctx,
        feedEvent(`transaction.${what}`, {
          id,
          datetime: `2026-03-${String(day).padStart(2, '0')}T20:00:00Z`,
          updated: `2026-03-${String(day).padStart(2, '0')}T22:00:00Z`,
          amount,
          card: { id: fixture.tokens[0] as string, lastNumbers: '0002' },
          location: { id: fixture.locationIds[1] as string },
        }),
      )
    const [large, small, refund] = [randomUUID(), randomUUID(), randomUUID()]
    expect(await receive('refund', refund, 20, '-60.00')).toBe('unmatched')
    await receive('clearing', small, 12, '40.00')
    await receive('clearing', large, 10, '80.00')
    await receive('clearing', randomUUID(), 25, '99.00')
    const transactions = await ctx.db
      .selectFrom('transactions')
      .select(['network_id', 'refunded_cents'])
      .where('member_id', '=', fixture.memberId)
      .where('refunded_cents', '>', 0)
      .execute()
    expect(transactions).toEqual([{ network_id: large, refunded_cents: 60_00 }])
  })
})

describe('the intake', () => {
  const clearing = (fixture: Fixture, over = {}) =>
    feedEvent('transaction.clearing', {
      id: randomUUID(),
      card: { id: fixture.tokens[0] as string, lastNumbers: '0002' },
      location: { id: fixture.locationIds[1] as string },
      ...over,
    })

  test('batches messages that arrive while it is busy, and returns a result for each', async () => {
    const ctx = program()
    const fixture = await createFixture(ctx)
    const sizes: number[] = []
    const intake = createIntake({
      receiveAll: (own, events) => {
        sizes.push(events.length)
        return receiveEvents(own, events)
      },
    })
    const twice = clearing(fixture)
    const first = intake.receive(ctx, twice)
    await vi.waitFor(() => expect(sizes).toEqual([1]))
    const messages = [...Array.from({ length: 20 }, () => clearing(fixture)), twice]
    const results = await Promise.all([first, ...messages.map((message) => intake.receive(ctx, message))])
    expect(results).toEqual([...Array.from({ length: 21 }, () => 'applied'), 'repeated'])
    expect(sizes).toEqual([1, 21])
  })

  test('takes few messages in one batch and many in parallel, with those of a card in one partition', async () => {
    const ctx = program()
    const batches: string[][] = []
    const intake = createIntake({
      receiveAll: async (_, events) => {
        batches.push(events.map(({ transaction }) => transaction.card.id))
        return events.map(() => 'applied' as const)
      },
    })
    const send = async (count: number) => {
      batches.length = 0
      const messages = Array.from({ length: count }, (_, at) =>
        feedEvent('transaction.auth', { id: randomUUID(), card: { id: `card-${at % 20}`, lastNumbers: '0002' } }),
      )
      await Promise.all(messages.map((message) => intake.receive(ctx, message)))
      return batches.map((batch) => batch.length)
    }
    expect(await send(30)).toEqual([30])
    const sizes = await send(600)
    expect(sizes).toHaveLength(partitionCount)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(600)
    const cardsByBatch = batches.map((cards) => new Set(cards))
    expect(cardsByBatch.reduce((sum, cards) => sum + cards.size, 0)).toBe(20)
  })

  test('a message that cannot be stored does not affect the others', async () => {
    const ctx = program()
    const fixture = await createFixture(ctx)
    const poisonMessage = clearing(fixture)
    const intake = createIntake({
      receiveAll: (own, events) => {
        if (events.includes(poisonMessage)) throw new Error('cannot be stored')
        return receiveEvents(own, events)
      },
    })
    const messages = [clearing(fixture), clearing(fixture), poisonMessage, clearing(fixture)]
    const results = await Promise.allSettled(messages.map((message) => intake.receive(ctx, message)))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  })

  test('a batch has a context of its own, of no request and no person', async () => {
    const ctx = program()
    const lines: string[] = []
    const log = pino({ level: 'info', base: null }, { write: (line) => void lines.push(line) })
    const batches: Ctx[] = []
    const intake = createIntake({
      log,
      receiveAll: async (own, events) => {
        own.log.info('stored')
        batches.push(own)
        return events.map(() => 'applied' as const)
      },
    })
    const actor = { ...ctx.actor, memberId: 7 }
    const requests = ['first', 'second'].map((requestId) => ({ ...ctx, requestId, address: '192.0.2.7', actor }))
    const message = feedEvent('transaction.auth', { id: randomUUID() })
    await Promise.all(requests.map((request) => intake.receive(request, message)))
    await intake.receive(requests[0] as Ctx, message)
    const ids = batches.map(({ requestId }) => requestId)
    expect(ids).toEqual([expect.stringMatching(/^intake-./), expect.stringMatching(/^intake-./)])
    expect(new Set(ids).size).toBe(2)
    expect(lines.map((line) => JSON.parse(line).reqId)).toEqual(ids)
    const own = { partnerId: ctx.partnerId, address: '', actor: anonymousActor }
    expect(batches[0]).toMatchObject(own)
    expect(batches[0]?.db).toBe(ctx.db)
  })

  test('a partner whose messages wait in too large a number gets an error, and no other partner does', async () => {
    const ctx = program()
    const gate = Promise.withResolvers<void>()
    const intake = createIntake({
      maxWaiting: 3,
      receiveAll: async (_, events) => {
        await gate.promise
        return events.map(() => 'applied' as const)
      },
    })
    const message = () => feedEvent('transaction.auth', { id: randomUUID() })
    const first = intake.receive(ctx, message())
    // The first is in a transaction then, and waits no longer.
    await new Promise(setImmediate)
    const waiting = [message(), message(), message()].map((each) => intake.receive(ctx, each))
    const oneMore = Promise.race([intake.receive(ctx, message()), new Promise(setImmediate)])
    await expect(oneMore).rejects.toThrow(new ApiError('tooManyWaiting'))
    const other = createTestContext(harness, 'gallonaire')
    const elsewhere = intake.receive(other, feedEvent('transaction.auth', { programId: other.partnerId }))
    gate.resolve()
    expect(await Promise.all([first, ...waiting, elsewhere])).toEqual(Array.from({ length: 5 }, () => 'applied'))
    expect(await intake.receive(ctx, message())).toBe('applied')
  })

  test('a message for another program is rejected first', async () => {
    const ctx = program()
    const other = clearing(await createFixture(ctx), { programId: 'beacon' })
    await expect(createIntake().receive(ctx, other)).rejects.toThrow(ApiError)
  })

  test('a refund to a card of another partition finds its transaction, even when it follows at once', async () => {
    const ctx = program()
    const fixture = await createFixture(ctx)
    let other = await addCard(ctx.db, await addMember(ctx.db))
    while (partitionOf(other.token) === partitionOf(fixture.tokens[0] as string))
      other = await addCard(ctx.db, fixture.memberId)
    const intake = createIntake()
    for (let round = 0; round < 20; round++) {
      const bought = clearing(fixture)
      const back = feedEvent('transaction.refund', {
        id: randomUUID(),
        originalTransactionId: bought.transaction.id,
        amount: '-42.10',
        card: { id: other.token, lastNumbers: '0009' },
        location: bought.transaction.location,
      })
      await Promise.all([back, bought].map((message) => intake.receive(ctx, message)))
      const stored = ctx.db.selectFrom('transactions').selectAll().where('network_id', '=', bought.transaction.id)
      expect(await stored.execute()).toMatchObject([{ stage: 'refunded', benefit: 0 }])
    }
  })

  test('work that needs a further partition starts again with the locks of all', async () => {
    const ctx = program()
    const first = randomUUID()
    let other = randomUUID()
    while (partitionOf(other) === partitionOf(first)) other = randomUUID()
    let runs = 0
    await withPartitionLocks(ctx, [first], async (tx, requirePartitions) => {
      runs++
      requirePartitions([first])
      requirePartitions([other])
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`.execute(tx)
      expect(rows).toEqual([{ count: 2 }])
    })
    expect(runs).toBe(2)
  })

  test('a transaction whose messages name two cards of different partitions is one transaction', async () => {
    const ctx = program()
    const fixture = await createFixture(ctx)
    const memberId = await addMember(ctx.db)
    let other = await addCard(ctx.db, memberId)
    while (partitionOf(other.token) === partitionOf(fixture.tokens[0] as string))
      other = await addCard(ctx.db, memberId)
    const intake = createIntake()
    for (let round = 0; round < 20; round++) {
      const id = randomUUID()
      const first = clearing(fixture, { id, updated: '2026-03-11T00:00:00Z' })
      const second = clearing(fixture, {
        id,
        updated: '2026-03-12T00:00:00Z',
        amount: '50.00',
        card: { id: other.token, lastNumbers: '0009' },
      })
      await Promise.all([intake.receive(ctx, first), intake.receive(ctx, second)])
      const stored = await ctx.db.selectFrom('transactions').selectAll().where('network_id', '=', id).execute()
      expect(stored).toMatchObject([{ cleared_cents: 50_00 }])
    }
    expect(await findLedgerViolations(ctx.db)).toEqual([])
  })

  test('a transaction of a new card waits for the partition of a refund to another card', async () => {
    const ctx = program()
    const fixture = await createFixture(ctx)
    const token = randomUUID()
    let other = randomUUID()
    while (partitionOf(other) === partitionOf(token)) other = randomUUID()
    const bought = clearing(fixture, { card: { id: token, lastNumbers: '0002' } })
    await receiveEvent(ctx, bought)
    const originalTransactionId = bought.transaction.id
    const back = { id: randomUUID(), originalTransactionId, amount: '-42.10', location: bought.transaction.location }
    const card = { id: other, lastNumbers: '0009' }
    await receiveEvent(ctx, feedEvent('transaction.refund', { ...back, card }))
    await addCard(ctx.db, fixture.memberId, { token })
    let isDone = false
    const [matched] = await whileLocked(ctx.db, {
      hold: (tx) => acquireAdvisoryLock(tx, `feed:${ctx.partnerId}:${partitionOf(other)}`),
      acts: [
        () =>
          rematchUnmatched(ctx, { cardToken: token }).finally(() => {
            isDone = true
          }),
      ],
      meanwhile: async () => expect(isDone).toBe(false),
    })
    expect(matched).toBe(1)
    const stored = ctx.db.selectFrom('transactions').selectAll().where('network_id', '=', originalTransactionId)
    expect(await stored.execute()).toMatchObject([{ stage: 'refunded', benefit: 0 }])
  })
})
