import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeReservation } from '../../src/dining/reservations/service.ts'
import type { MemberCtx } from '../../src/platform/http/context.ts'
import { ProgramConfig } from '../../src/programs/partners/schemas.ts'
import { computeEarnQuote } from '../../src/rewards/activity/earn-quote.ts'
import { activateBonus } from '../../src/rewards/bonuses/service.ts'
import {
  addMerchantWithTables,
  createReservationHarness,
  friday,
  reservationRequest,
} from '../support/reservation-harness.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import { addCard, addMerchant, findLedgerViolations, receiveEvent } from '../support/rewards-harness.ts'

const { clock, deps, memberContext } = createReservationHarness()

type Reported = { amount?: string; at?: string; of?: string }

/** A member of the fuel program, which rewards whole 50 dollars, with a card. */
async function fuelMember(program: Record<string, unknown> = {}) {
  const plain = await memberContext('gallonaire')
  const config = { ...plain.program.config, ...program }
  const ctx: MemberCtx = { ...plain, program: { ...plain.program, config } }
  const memberId = ctx.actor.memberId as number
  const card = await addCard(ctx.db, memberId)
  let messages = 0
  const report = async (
    name: 'clearing' | 'refund',
    locationId: string,
    { amount = '40.00', at, of }: Reported = {},
  ) => {
    const id = randomUUID()
    const datetime = at ?? '2026-11-21T00:10:00.000Z'
    await receiveEvent(
      ctx,
      feedEvent(`transaction.${name}`, {
        id,
        programId: 'gallonaire',
        amount,
        datetime,
        created: datetime,
        updated: new Date(Date.parse(datetime) + ++messages * 1000).toISOString(),
        card: { id: card.token, lastNumbers: card.lastFour },
        location: { id: locationId },
        ...(of && { originalTransactionId: of }),
      }),
    )
    return id
  }
  const rows = async () => {
    const found = await ctx.db
      .selectFrom('transactions')
      .select(['type_code as type', 'award_status as status', 'benefit'])
      .where('member_id', '=', memberId)
      .orderBy('occurred_at')
      .orderBy('type_code', 'desc')
      .execute()
    return found.map(({ type, status, benefit }) => `${type} ${status} ${benefit}`)
  }
  return { ctx, report, rows }
}

test.each([
  ['below a step', {}],
  ['below the program’s minimum', { earnStepCents: 1, minimumSpendCents: 60_00 }],
])('RESV-027 a booked dine %s earns the reservation bonus, until it is refunded', async (_, program) => {
  const { ctx, report, rows } = await fuelMember(program)
  const place = await addMerchantWithTables(ctx.db, { seats: [2] })
  await makeReservation(ctx, deps, reservationRequest(place.publicId))
  clock.now = new Date('2026-11-20T20:00:00Z')
  const quote = await computeEarnQuote(ctx, {
    merchantId: place.publicId,
    amount: '40.00',
    date: friday,
    time: '19:00',
  })
  expect([quote.benefit, quote.bonus]).toEqual([0, 500])
  const meal = await report('clearing', place.locationId)
  expect(await rows()).toEqual(['S Forfeit 0', 'B Awarded 500'])
  await report('refund', place.locationId, { amount: '-10.00', of: meal })
  expect(await rows()).toEqual(['S Forfeit 0', 'B Awarded 500'])
  await report('refund', place.locationId, { amount: '-30.00', of: meal })
  expect(await rows()).toEqual(['S Forfeit 0', 'B Forfeit 0'])
  expect(await findLedgerViolations(ctx.db)).toEqual([])
})

test('RESV-027 a booked dine whose refund leaves less than a step keeps the reservation bonus', async () => {
  const { ctx, report, rows } = await fuelMember()
  const place = await addMerchantWithTables(ctx.db, { seats: [2] })
  await makeReservation(ctx, deps, reservationRequest(place.publicId))
  const meal = await report('clearing', place.locationId, { amount: '100.00' })
  expect(await rows()).toEqual(['S Awarded 300', 'B Awarded 500'])
  await report('refund', place.locationId, { amount: '-60.00', of: meal })
  expect(await rows()).toEqual(['S Forfeit 0', 'B Awarded 500'])
  expect(await findLedgerViolations(ctx.db)).toEqual([])
})

test('RESV-027 a booked dine beyond the restaurant’s visits of the month earns the reservation bonus', async () => {
  const { ctx, report, rows } = await fuelMember()
  const offers = [{ type: 'Limited', startsOn: '2026-01-01', maxVisitsPerMonth: 1 }]
  const place = await addMerchantWithTables(ctx.db, { seats: [2], over: { offers } })
  await makeReservation(ctx, deps, reservationRequest(place.publicId))
  await report('clearing', place.locationId, { amount: '100.00', at: '2026-11-10T00:10:00.000Z' })
  await report('clearing', place.locationId, { amount: '100.00' })
  expect(await rows()).toEqual(['S Awarded 300', 'S Forfeit 0', 'B Awarded 500'])
})

test('BON-026 three different places count whatever the bills are, and a refunded one no longer does', async () => {
  const bonus = {
    code: 'TRIP',
    description: 'Three places',
    amount: 15,
    dines: 3,
    withinDays: 31,
    distinctPlaces: true,
  }
  const { bonuses } = ProgramConfig.parse({ ...(await memberContext('gallonaire')).program.config, bonuses: [bonus] })
  const { ctx, report, rows } = await fuelMember({ bonuses })
  await activateBonus(ctx, 'TRIP', { inApp: false })
  const places = await Promise.all([1, 2, 3].map(() => addMerchant(ctx.db)))
  const meals: string[] = []
  for (const [index, { locationId }] of places.entries())
    meals.push(await report('clearing', locationId, { amount: '20.00', at: `2026-11-2${index}T00:10:00.000Z` }))
  expect(await rows()).toEqual(['S Forfeit 0', 'S Forfeit 0', 'S Forfeit 0', 'B Awarded 15'])
  await report('refund', places[2]?.locationId as string, { amount: '-20.00', of: meals[2] as string })
  expect(await rows()).toEqual(['S Forfeit 0', 'S Forfeit 0', 'S Forfeit 0', 'B Forfeit 0'])
  expect(await findLedgerViolations(ctx.db)).toEqual([])
})
