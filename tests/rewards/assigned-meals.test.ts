import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Ctx } from '../../src/platform/http/context.ts'
import { DAY } from '../../src/platform/time.ts'
import { recheckOverlap } from '../../src/rewards/awards/apply.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { queryAsOwner } from '../support/owner.ts'
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

const harness = setUpTestHarness()

interface Report {
  authCode?: string
  amount?: string
  /** Of the authorization, where it differs. */
  ticket?: string
  isRefunded?: boolean
}

/**
 * Returns how many meals earn in each program after both were told of payments with one card: the first has the card
 * again, the second had it in between.
 */
async function countRewarded(theirs: readonly Report[], mine: readonly Report[]) {
  const [back, between] = [createTestContext(harness, 'skyharbor'), createTestContext(harness, 'gallonaire')]
  const { id: merchantId, locationId } = await addMerchant(back.db)
  const told = async (ctx: Ctx, partner: 'skyharbor' | 'gallonaire', reports: readonly Report[]) => {
    const memberId = await addMember(ctx.db)
    const card = await addCard(ctx.db, memberId)
    const send = async () => {
      for (const { authCode = null, amount = '100.00', ticket = amount, isRefunded } of reports) {
        const id = randomUUID()
        const common = {
          programId: partner,
          authCode,
          card: { id: card.token, lastNumbers: '0002' },
          location: { id: locationId },
        }
        await receiveEvent(ctx, feedEvent('transaction.auth', { ...common, id, amount: ticket }))
        await receiveEvent(
          ctx,
          feedEvent('transaction.clearing', { ...common, id, amount, updated: '2026-03-11T00:00:00.000Z' }),
        )
        const refund = { ...common, id: randomUUID(), originalTransactionId: id, amount: `-${amount}` }
        if (isRefunded) await receiveEvent(ctx, feedEvent('transaction.refund', refund))
      }
    }
    return { ctx, card, send }
  }
  const [first, second] = [await told(back, 'skyharbor', theirs), await told(between, 'gallonaire', mine)]
  const id = randomUUID()
  await queryAsOwner(
    harness.ownerUrl,
    `insert into card_overlaps (id, from_partner, from_card, to_partner, to_card)
       values ($1, 'skyharbor', $2, 'gallonaire', $3)`,
    [id, first.card.id, second.card.id],
  )
  await first.send()
  await second.send()
  await recheckOverlap(between, id)
  const count = async ({ db }: Ctx) => {
    const rows = db.selectFrom('transactions').select('benefit').where('merchant_id', '=', merchantId)
    return (await rows.where('benefit', '>', 0).execute()).length
  }
  return [await count(back), await count(between)]
}

test('HIST-055 Case 121 a meal that the other program reports withdraws one here, whatever codes and amounts the two have', async () => {
  // Two coffees with two codes, of which the other program was told of one, without a code.
  expect(await countRewarded([{}], [{ authCode: 'X' }, { authCode: 'Y' }])).toEqual([1, 1])
  expect(await countRewarded([{}], [{}, {}])).toEqual([1, 1])
  expect(await countRewarded([{}, {}], [{ authCode: 'X' }, { authCode: 'Y' }])).toEqual([2, 0])
  expect(await countRewarded([{ authCode: 'X' }], [{ authCode: 'X' }, {}])).toEqual([1, 1])
  expect(
    await countRewarded([{ amount: '120.00' }], [{ amount: '120.00' }, { ticket: '120.00', amount: '130.00' }]),
  ).toEqual([1, 1])
  // A refunded one does not stand for the one that earns.
  expect(await countRewarded([{}], [{ isRefunded: true }, {}])).toEqual([1, 0])
  expect(await countRewarded([{}], [{}, { isRefunded: true }])).toEqual([1, 0])
  for (const partner of ['skyharbor', 'gallonaire'] as const)
    expect(await findLedgerViolations(harness.pools.forPartner(partner))).toEqual([])
})

interface Meal {
  merchant_id: number
  auth_code: string | null
  occurred_at: string
  ticket_cents: number
  cleared_cents: number
  earns: boolean
}

const start = Date.parse('2026-03-10T12:00:30Z')
const meal: fc.Arbitrary<Meal> = fc.record({
  merchant_id: fc.constantFrom(1, 1, 2),
  auth_code: fc.constantFrom(null, 'A', 'B'),
  occurred_at: fc.constantFrom(0, 20_000, 60_000, DAY, DAY + 1).map((after) => new Date(start + after).toISOString()),
  ticket_cents: fc.constantFrom(100, 120),
  cleared_cents: fc.constantFrom(100, 120),
  earns: fc.boolean(),
})

const minuteOf = ({ occurred_at }: Meal) => occurred_at.slice(0, 16)

function maySame(a: Meal, b: Meal): boolean {
  if (a.merchant_id !== b.merchant_id) return false
  if (a.auth_code !== null && b.auth_code !== null)
    return a.auth_code === b.auth_code && Math.abs(Date.parse(a.occurred_at) - Date.parse(b.occurred_at)) <= DAY
  return minuteOf(a) === minuteOf(b) && (a.cleared_cents === b.cleared_cents || a.ticket_cents === b.ticket_cents)
}

/** Returns the greatest number of meals that can be paired, by trying all. */
function mostPairs(mine: readonly Meal[], theirs: readonly Meal[]): number {
  const [first, ...rest] = mine
  if (!first) return 0
  const withFirst = theirs.flatMap((each, at) =>
    maySame(first, each) ? [1 + mostPairs(rest, theirs.toSpliced(at, 1))] : [],
  )
  return Math.max(mostPairs(rest, theirs), ...withFirst)
}

test('HIST-055 Case 121 as many meals are assigned as can be, each to one of its own, those that earn first', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(meal, { maxLength: 5 }), fc.array(meal, { maxLength: 5 }), async (mine, theirs) => {
      const named = (meals: readonly Meal[], who: string) =>
        meals.map((each, at) => ({ ...each, network_id: `${who}${at}` }))
      const rows = await queryAsOwner<{ id: string }>(harness.ownerUrl, 'select assign_meals($1, $2) as id', [
        JSON.stringify(named(mine, 'm')),
        JSON.stringify(named(theirs, 't')),
      ])
      const assigned = rows.map(({ id }) => mine[Number(id.slice(1))] as Meal)
      expect(new Set(rows.map(({ id }) => id)).size).toBe(mostPairs(mine, theirs))
      // They can be paired all at once, and no choice withdraws more of those that earn.
      expect(mostPairs(assigned, theirs)).toBe(assigned.length)
      const earning = (meals: readonly Meal[]) => meals.filter(({ earns }) => earns)
      expect(earning(assigned)).toHaveLength(mostPairs(earning(mine), theirs))
    }),
    { numRuns: scaled({ full: 2000, short: 60 }) },
  )
})
