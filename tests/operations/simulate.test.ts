import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addSampleMembers } from '../../src/identity/enrollment/service.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { DAY, HOUR, localMoment, MINUTE, SECOND } from '../../src/platform/time.ts'
import { findFirstCards, linkSampleCard } from '../../src/rewards/cards/service.ts'
import { messageIdOf } from '../../src/rewards/feed/message.ts'
import { receiveEvents } from '../../src/rewards/feed/receive-events.ts'
import { type SimulationPlan, simulateFeed } from '../../src/staging/simulate/simulate-feed.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { addCard, addMember, addMerchant, createTestContext, findLedgerViolations } from '../support/rewards-harness.ts'

const harness = setUpTestHarness()

const until = new Date('2026-03-31T00:00:00Z')
const plan: SimulationPlan = {
  seed: 1,
  partnerId: 'skyharbor',
  cards: Array.from({ length: 40 }, (_, index) => ({ token: `token-${index}`, lastFour: '0002', scheme: 'visa' })),
  merchants: Array.from({ length: 8 }, (_, index) => ({
    locationId: `place-${index}`,
    name: `Place ${index}`,
    timeZone: index % 2 ? 'America/New_York' : 'America/Los_Angeles',
    priceRange: index % 5,
  })),
  from: new Date(until.getTime() - 90 * DAY),
  until,
  transactionsPerMonth: 10,
}

test('the same plan generates the same events, and another seed generates others', () => {
  expect(simulateFeed(plan)).toEqual(simulateFeed(plan))
  expect(simulateFeed({ ...plan, seed: 2 })).not.toEqual(simulateFeed(plan))
})

test('simulated members are added once, each with a card', async () => {
  const ctx = createTestContext(harness, 'skyharbor')
  const since = new Date('2026-01-01T00:00:00Z')
  const progress: number[] = []
  const add = (count: number) => addSampleMembers(ctx, { count, since, onProgress: (done) => progress.push(done) })
  const first = await add(51)
  const again = await add(52)
  expect([new Set(first.map(({ token }) => token)).size, again.length]).toEqual([51, 52])
  expect(again.slice(0, 51)).toEqual(first)
  expect(progress).toEqual([50, 51, 50, 52])
  const { rows } = await sql`
    select count(distinct m.email)::int as members, count(*)::int as cards from members m join cards c on c.member_id = m.id
    where m.email like 'diner-%@simulated.example' and c.linked_at = ${since}`.execute(ctx.db)
  expect(rows).toEqual([{ members: 52, cards: 52 }])
})

test('events are in the order in which they are sent, end before the given time, and cover every kind of message', () => {
  const sent = simulateFeed(plan)
  const times = sent.map(({ at }) => at.getTime())
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(times.at(-1)).toBeLessThan(until.getTime())
  const events = sent.map(({ event }) => event)
  const some = (holds: (event: (typeof events)[number]) => boolean) => events.some(holds)
  expect(some(({ event, transaction }) => event === 'transaction.refund' && !transaction.originalTransactionId)).toBe(
    true,
  )
  expect(some(({ event, transaction }) => event === 'transaction.clearing' && Number(transaction.amount) < 0)).toBe(
    true,
  )
  expect(some(({ transaction }) => transaction.amount === '0.00')).toBe(true)
  expect(some(({ transaction }) => !transaction.card.id.startsWith('token-'))).toBe(true)
  expect(some(({ transaction }) => !transaction.location.id.startsWith('place-'))).toBe(true)
  expect(new Set(events.map(messageIdOf)).size).toBeLessThan(events.length)
  const messagesPerTransaction = sent.length / (plan.cards.length * 30)
  expect(messagesPerTransaction).toBeGreaterThan(1.8)
  expect(messagesPerTransaction).toBeLessThan(2.6)
})

test('amounts, times and delays are those of a restaurant and of a card network', () => {
  const sent = simulateFeed(plan)
  const range = (values: number[]) => [Math.min(...values), Math.max(...values)]
  const purchases = Map.groupBy(
    new Set(sent.map(({ event }) => event)),
    ({ transaction }) => transaction.originalTransactionId ?? transaction.id,
  )
  const seen = { bills: [], tips: [], auth: [], reversal: [], clearing: [], hours: [] } as Record<string, number[]>
  const refunds: { days: number; share: number }[] = []
  for (const events of purchases.values()) {
    const messages = events
      .map(({ event, transaction }) => ({ ...transaction, event, dollars: Number(transaction.amount) }))
      .toSorted((a, b) => a.created.localeCompare(b.created))
    const [auth, reversal] = messages.filter(({ event }) => event === 'transaction.auth')
    const [clearing, correction] = messages.filter(
      ({ event, dollars }) => event === 'transaction.clearing' && dollars > 0,
    )
    const refund = messages.find(({ event }) => event === 'transaction.refund')
    if (!auth || auth.dollars === 0) continue
    const since = (message: { created: string }, start: string) => Date.parse(message.created) - Date.parse(start)
    const merchant = plan.merchants.find(({ name }) => name === auth.brand?.name) as (typeof plan.merchants)[number]
    seen.bills?.push(auth.dollars / (12 + 14 * merchant.priceRange))
    seen.auth?.push(since(auth, auth.datetime) / MINUTE)
    seen.hours?.push(Math.floor(localMoment(new Date(auth.datetime), merchant.timeZone).minutes / 60))
    if (reversal) seen.reversal?.push(since(reversal, auth.datetime) / HOUR)
    if (!clearing) continue
    const clearedAfter = since(clearing, auth.datetime) / HOUR
    // Only a correction clears later.
    if (clearedAfter <= 90) seen.clearing?.push(clearedAfter)
    seen.tips?.push(clearing.dollars / auth.dollars)
    if (correction)
      expect([since(correction, clearing.created) / HOUR, clearing.dollars - correction.dollars]).toEqual([
        12,
        expect.closeTo(1),
      ])
    if (refund) refunds.push({ days: since(refund, clearing.created) / DAY, share: -refund.dollars / clearing.dollars })
  }
  expect(range(seen.auth ?? [])).toEqual([1, 20])
  expect(range(seen.reversal ?? [])).toEqual([2, 2])
  expect(range(seen.clearing ?? [])).toEqual([18, 90])
  expect([...new Set(seen.hours)].toSorted()).toEqual([11, 12, 13, 17, 18, 19, 20, 21])
  const rounded = (values: number[]) => range(values).map((value) => Math.round(value * 100) / 100)
  expect(rounded(seen.bills ?? [])).toEqual([0.6, 1.6])
  expect(rounded(seen.tips ?? [])).toEqual([1.1, 1.25])
  const [parts, whole] = [refunds.filter(({ share }) => share < 1), refunds.filter(({ share }) => share === 1)]
  expect(range(parts.map(({ days }) => days))).toEqual([1, 5])
  expect(rounded(parts.map(({ share }) => share))).toEqual([0.15, 0.57])
  expect(whole.map(({ days }) => days).filter((days) => days > 10)).toEqual([
    expect.closeTo(33.917),
    expect.closeTo(21.583),
  ])
  expect(range(whole.map(({ days }) => days).filter((days) => days <= 10))).toEqual([2, 10])

  const deliveries = [...Map.groupBy(sent, ({ event }) => event)].map(([{ transaction }, all]) =>
    all.map(({ at }) => at.getTime() - Date.parse(transaction.created)),
  )
  const [late, prompt] = [true, false].map((isLate) =>
    deliveries.map(([first]) => first as number).filter((ms) => ms > 600 * SECOND === isLate),
  ) as [number[], number[]]
  expect(range(prompt).map((ms) => ms / SECOND)).toEqual([1, 600])
  expect(range(late).map((ms) => ms / HOUR)).toEqual([2, 71])
  const repeated = deliveries.flatMap(([first, second]) => (second === undefined ? [] : [second - (first as number)]))
  expect(range(repeated).map((ms) => ms / MINUTE)).toEqual([2, 120])
})

test('a complete simulation leaves a balanced ledger', async () => {
  const ctx = createTestContext(harness, 'skyharbor')
  ctx.program.config.settlement = { restaurantFee: 1000, centsPer100Units: 130, partnerShare: 2000 }
  for (const { token } of plan.cards) await addCard(ctx.db, await addMember(ctx.db), { token, linkedAt: plan.from })
  for (const [index, { locationId }] of plan.merchants.entries()) {
    await addMerchant(ctx.db, { locationId, maxVisitsPerMonth: index < 3 ? 2 : null })
  }
  const events = simulateFeed(plan).map(({ event }) => event)
  for (let from = 0; from < events.length; from += 200) await receiveEvents(ctx, events.slice(from, from + 200))
  expect(await findLedgerViolations(ctx.db)).toEqual([])
})

test('a simulated member pays with the first of the linked cards, and one without cards has none', async () => {
  const { db } = createTestContext(harness, 'skyharbor')
  const [memberId, other, without] = [await addMember(db), await addMember(db), await addMember(db)]
  await inTransaction(db, async (tx) => {
    const link = (id: number, lastFour: string) => linkSampleCard(tx, { memberId: id, lastFour, linkedAt: until })
    await link(memberId, '0001')
    const second = await link(memberId, '0002')
    const own = await link(other, '0003')
    await link(memberId, '0004')
    await tx.updateTable('cards').set({ removed_at: until }).where('last_four', '=', '0001').execute()
    expect(await findFirstCards(tx, [memberId, other, without])).toEqual(
      new Map([
        [memberId, second],
        [other, own],
      ]),
    )
  })
})
