import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Ctx } from '../../src/platform/http/context.ts'
import { Refusal } from '../../src/platform/refusal.ts'
import type { FeedEvent, FeedTransaction } from '../../src/rewards/feed/contract.ts'
import { createIntake } from '../../src/rewards/feed/intake.ts'
import { receiveEvents } from '../../src/rewards/feed/receive-events.ts'
import { shardCount, shardOf } from '../../src/rewards/feed/shards.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import {
  addCard,
  addMember,
  addMerchant,
  contextOf,
  type Kitchen,
  ledgerFaults,
  openKitchen,
  receiveOne,
} from '../support/rewards.ts'
import { scaled } from '../support/scale.ts'

let kitchen: Kitchen
beforeAll(async () => {
  kitchen = await openKitchen()
})
afterAll(() => kitchen?.close())

function program(): Ctx {
  const ctx = contextOf(kitchen, 'skyharbor')
  ctx.program.config.settlement = { restaurantFee: 1000, centsPer100Units: 130, partnerShare: 2000 }
  return ctx
}

/** What may happen to a transaction: amounts in cents, hours after the first day. */
const mealStory = fc.record({
  card: fc.nat(1),
  place: fc.nat(1),
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
type Story = typeof mealStory extends fc.Arbitrary<infer T> ? T : never

interface Table {
  tokens: readonly string[]
  places: readonly string[]
  memberId: number
}

/** Inserts a member with two cards at two restaurants, of which one rewards two visits a month. */
async function lay(ctx: Ctx): Promise<Table> {
  const memberId = await addMember(ctx.db)
  const cards = [await addCard(ctx.db, memberId), await addCard(ctx.db, memberId)]
  const places = [await addMerchant(ctx.db, { maxVisitsPerMonth: 2 }), await addMerchant(ctx.db)]
  return { memberId, tokens: cards.map(({ token }) => token), places: places.map(({ locationId }) => locationId) }
}

const start = Date.UTC(2026, 2, 2, 20)
const at = (hour: number) => new Date(start + hour * 3_600_000).toISOString()

/** Returns the messages of the stories. Ids follow the index, so that two tables can receive the same stories. */
function messagesOf(stories: readonly Story[], { tokens, places }: Table, prefix: string): FeedEvent[] {
  return stories.flatMap((story, index) => {
    const id = `${prefix}-${index}`
    const card = { id: tokens[story.card] as string, lastNumbers: '0002' }
    const tell = (what: 'auth' | 'clearing' | 'refund', hour: number, over: Partial<FeedTransaction>) =>
      feedEvent(`transaction.${what}`, {
        id,
        datetime: at(story.hour),
        updated: at(hour),
        card,
        location: { id: places[story.place] as string },
        ...over,
      })
    const dollars = (cents: number) => (cents / 100).toFixed(2)
    const moved = story.movesTo === null ? {} : { location: { id: places[story.movesTo] as string } }
    const charge = story.clearings.at(-1) ?? story.auth ?? 100
    return [
      ...(story.auth === null ? [] : [tell('auth', story.hour, { amount: dollars(story.auth) })]),
      ...story.clearings.map((cents, nth) =>
        tell('clearing', story.hour + 24 + nth, { amount: dollars(cents), ...(nth === 0 && moved) }),
      ),
      ...story.refunds.flatMap(({ percent, isLone, twice }, nth) => {
        const hour = story.hour + 60 + nth
        const over = {
          id: `${id}-refund-${nth}`,
          datetime: at(hour),
          amount: dollars(-Math.max(1, Math.floor((charge * percent) / 100))),
          ...(!isLone && { originalTransactionId: id }),
        }
        return [tell('refund', hour, over), ...(twice ? [tell('clearing', hour, over)] : [])]
      }),
    ]
  })
}

/** Returns the final state: every transaction, and every posting of the ledger. */
async function outcome(ctx: Ctx, { memberId, places }: Table, prefix: string): Promise<unknown> {
  const { rows: meals } = await sql`
    select replace(t.network_id, ${prefix}, '') as id, t.stage, t.award_status, t.ticket_cents, t.dine_cents,
      t.refunded_cents, t.benefit, t.reason ->> 'code' as code, t.dined_at, t.cleared_at, n.network_id = ${places[0]} as first
    from transactions t join merchant_network_ids n on n.merchant_id = t.merchant_id
    where t.member_id = ${memberId} order by 1`.execute(ctx.db)
  const { rows: sides } = await sql`
    select p.account, p.unit, p.merchant_id is null as alone, sum(p.amount)::bigint as amount
    from postings p join journals j on j.id = p.journal_id
    where j.source_id like ${`${prefix}-%`} group by 1, 2, 3, p.merchant_id having sum(p.amount) <> 0 order by 1, 2, 4`.execute(
    ctx.db,
  )
  return { meals, sides }
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
  for (const message of messages) await receiveOne(ctx, message)
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
  ])('Case 5 the same messages %s end in the same meals and the same ledger', async (_, deliver) => {
    const ctx = program()
    await fc.assert(
      fc.asyncProperty(fc.array(mealStory, { minLength: 1, maxLength: 5 }), fc.nat(1e6), async (stories, seed) => {
        const [calm, mixed] = [await lay(ctx), await lay(ctx)]
        const [a, b] = [randomUUID().slice(0, 8), randomUUID().slice(0, 8)]
        await oneByOne(ctx, messagesOf(stories, calm, a), seed)
        await deliver(ctx, shuffled(messagesOf(stories, mixed, b), seed), seed)
        expect(await outcome(ctx, mixed, b)).toEqual(await outcome(ctx, calm, a))
      }),
      { numRuns: scaled({ full: 50, short: 15 }) },
    )
    expect(await ledgerFaults(ctx.db)).toEqual([])
  })

  test('Case 5 saboteur: an engine that keeps what it was told first would be noticed', async () => {
    const ctx = program()
    const forgetful: Deliver = async (own, messages, seed) => {
      const seen = new Set<string>()
      await oneByOne(
        own,
        messages.filter(({ transaction }) => !seen.has(transaction.id) && seen.add(transaction.id)),
        seed,
      )
    }
    const stories: Story[] = [
      { card: 0, place: 0, hour: 1, auth: 40_00, clearings: [50_00], refunds: [], movesTo: null },
    ]
    const [calm, mixed] = [await lay(ctx), await lay(ctx)]
    await oneByOne(ctx, messagesOf(stories, calm, 'calm'), 1)
    await forgetful(ctx, messagesOf(stories, mixed, 'mixed'), 1)
    expect(await outcome(ctx, mixed, 'mixed')).not.toEqual(await outcome(ctx, calm, 'calm'))
  })
})

describe('a refund that names no purchase', () => {
  test('takes from the last meal before it that can bear it, and waits where none can', async () => {
    const ctx = program()
    const table = await lay(ctx)
    const tell = (what: 'clearing' | 'refund', id: string, day: number, amount: string) =>
      receiveOne(
        ctx,
        feedEvent(`transaction.${what}`, {
          id,
          datetime: `2026-03-${String(day).padStart(2, '0')}T20:00:00Z`,
          updated: `2026-03-${String(day).padStart(2, '0')}T22:00:00Z`,
          amount,
          card: { id: table.tokens[0] as string, lastNumbers: '0002' },
          location: { id: table.places[1] as string },
        }),
      )
    const [large, small, refund] = [randomUUID(), randomUUID(), randomUUID()]
    expect(await tell('refund', refund, 20, '-60.00')).toBe('unmatched')
    await tell('clearing', small, 12, '40.00')
    await tell('clearing', large, 10, '80.00')
    await tell('clearing', randomUUID(), 25, '99.00')
    const meals = await ctx.db
      .selectFrom('transactions')
      .select(['network_id', 'refunded_cents'])
      .where('member_id', '=', table.memberId)
      .where('refunded_cents', '>', 0)
      .execute()
    expect(meals).toEqual([{ network_id: large, refunded_cents: 60_00 }])
  })
})

describe('the intake', () => {
  const meal = (table: Table, over = {}) =>
    feedEvent('transaction.clearing', {
      id: randomUUID(),
      card: { id: table.tokens[0] as string, lastNumbers: '0002' },
      location: { id: table.places[1] as string },
      ...over,
    })

  test('keeps what comes while it is busy together, and answers each message for itself', async () => {
    const ctx = program()
    const table = await lay(ctx)
    const sizes: number[] = []
    const intake = createIntake((own, events) => {
      sizes.push(events.length)
      return receiveEvents(own, events)
    })
    const twice = meal(table)
    const first = intake.receive(ctx, twice)
    await vi.waitFor(() => expect(sizes).toEqual([1]))
    const messages = [...Array.from({ length: 20 }, () => meal(table)), twice]
    const answers = await Promise.all([first, ...messages.map((message) => intake.receive(ctx, message))])
    expect(answers).toEqual([...Array.from({ length: 21 }, () => 'applied'), 'repeated'])
    expect(sizes).toEqual([1, 21])
  })

  test('takes few in together, and many side by side, those of a card in one lane', async () => {
    const ctx = program()
    const batches: string[][] = []
    const intake = createIntake(async (_, events) => {
      batches.push(events.map(({ transaction }) => transaction.card.id))
      return events.map(() => 'applied' as const)
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
    expect(sizes).toHaveLength(shardCount)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(600)
    const lanesOfCards = batches.map((cards) => new Set(cards))
    expect(lanesOfCards.reduce((sum, cards) => sum + cards.size, 0)).toBe(20)
  })

  test('one message that cannot be kept costs no other', async () => {
    const ctx = program()
    const table = await lay(ctx)
    const poison = meal(table)
    const intake = createIntake((own, events) => {
      if (events.includes(poison)) throw new Error('cannot be kept')
      return receiveEvents(own, events)
    })
    const messages = [meal(table), meal(table), poison, meal(table)]
    const answers = await Promise.allSettled(messages.map((message) => intake.receive(ctx, message)))
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  })

  test('a message for another program is refused before anything else', async () => {
    const ctx = program()
    const other = meal(await lay(ctx), { programId: 'beacon' })
    await expect(createIntake().receive(ctx, other)).rejects.toThrow(Refusal)
  })

  test('a refund to a card of another lane finds its meal, however close behind it comes', async () => {
    const ctx = program()
    const table = await lay(ctx)
    let other = await addCard(ctx.db, await addMember(ctx.db))
    while (shardOf(other.token) === shardOf(table.tokens[0] as string)) other = await addCard(ctx.db, table.memberId)
    const intake = createIntake()
    for (let round = 0; round < 20; round++) {
      const bought = meal(table)
      const back = feedEvent('transaction.refund', {
        id: randomUUID(),
        originalTransactionId: bought.transaction.id,
        amount: '-42.10',
        card: { id: other.token, lastNumbers: '0009' },
        location: bought.transaction.location,
      })
      await Promise.all([back, bought].map((message) => intake.receive(ctx, message)))
      const kept = ctx.db.selectFrom('transactions').selectAll().where('network_id', '=', bought.transaction.id)
      expect(await kept.execute()).toMatchObject([{ stage: 'refunded', benefit: 0 }])
    }
  })

  test('a meal whose messages name two cards of different lanes is one meal all the same', async () => {
    const ctx = program()
    const table = await lay(ctx)
    const memberId = await addMember(ctx.db)
    let other = await addCard(ctx.db, memberId)
    while (shardOf(other.token) === shardOf(table.tokens[0] as string)) other = await addCard(ctx.db, memberId)
    const intake = createIntake()
    for (let round = 0; round < 20; round++) {
      const id = randomUUID()
      const first = meal(table, { id, updated: '2026-03-11T00:00:00Z' })
      const second = meal(table, {
        id,
        updated: '2026-03-12T00:00:00Z',
        amount: '50.00',
        card: { id: other.token, lastNumbers: '0009' },
      })
      await Promise.all([intake.receive(ctx, first), intake.receive(ctx, second)])
      const kept = await ctx.db.selectFrom('transactions').selectAll().where('network_id', '=', id).execute()
      expect(kept).toMatchObject([{ dine_cents: 50_00 }])
    }
    expect(await ledgerFaults(ctx.db)).toEqual([])
  })
})
