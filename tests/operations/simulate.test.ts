import { expect, test } from 'vitest'
import { DAY } from '../../src/platform/time.ts'
import { messageIdOf } from '../../src/rewards/feed/fold.ts'
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
