import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { ownProvider } from '../../src/dining/reservations/book/own-provider.ts'
import {
  changeReservation,
  findBonusReservations,
  holdTable,
  makeReservation,
  readAvailability,
} from '../../src/dining/reservations/service.ts'
import type { MemberCtx } from '../../src/platform/http/context.ts'
import { MINUTE } from '../../src/platform/time.ts'
import { getBalance } from '../../src/rewards/ledger/entries.ts'
import { createReservationHarness, friday, reservationRequest, resultCode } from '../support/reservation-harness.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import { addCard, receiveEvent } from '../support/rewards-harness.ts'

const { clock, deps, memberContext, addMerchant } = createReservationHarness()

/** Returns the seatings at a restaurant: seats of the table, party, local hour and state. */
async function seatingsAt({ db }: MemberCtx, merchantId: number) {
  const { rows } = await sql<{ seats: number; party: number; hour: number; state: string }>`
    select t.seats, b.party_size as party, b.state,
      extract(hour from b.starts_at at time zone 'America/New_York')::int as hour
    from table_bookings b join merchant_tables t on t.id = b.table_id
    where b.merchant_id = ${merchantId} order by b.starts_at, t.seats`.execute(db)
  return rows
}

test('a hold for two is not booked for six, nor for another time, member or restaurant', async () => {
  const merchant = await addMerchant([2, 6])
  const [ada, bob] = [await memberContext(), await memberContext()]
  const request = reservationRequest(merchant.publicId)
  const { token } = await holdTable(ada, deps, request)
  await makeReservation(ada, deps, { ...request, partySize: 6, holdToken: token })
  expect(await seatingsAt(ada, merchant.id)).toContainEqual({ seats: 6, party: 6, hour: 19, state: 'booked' })
  const other = await addMerchant([2, 2])
  const held = await holdTable(ada, deps, reservationRequest(other.publicId))
  await makeReservation(bob, deps, { ...reservationRequest(other.publicId), holdToken: held.token })
  expect((await seatingsAt(ada, other.id)).map(({ state }) => state).sort()).toEqual(['booked', 'held'])
  await makeReservation(ada, deps, { ...reservationRequest(other.publicId, { time: '22:00' }), holdToken: held.token })
  expect(await seatingsAt(ada, other.id)).toContainEqual({ seats: 2, party: 2, hour: 22, state: 'booked' })
  const [near, far] = [await addMerchant([2]), await addMerchant([2])]
  const elsewhere = await holdTable(bob, deps, reservationRequest(near.publicId))
  await makeReservation(bob, deps, { ...reservationRequest(far.publicId), holdToken: elsewhere.token })
  expect((await seatingsAt(bob, near.id)).map(({ state }) => state)).toEqual(['held'])
  expect((await seatingsAt(bob, far.id)).map(({ state }) => state)).toEqual(['booked'])
})

test('a new hold of a member frees the one before, and a hold that has ended is free for all', async () => {
  const merchant = await addMerchant([2])
  const [ada, bob] = [await memberContext(), await memberContext()]
  await holdTable(ada, deps, reservationRequest(merchant.publicId))
  const isFree = async (time: string) =>
    (await readAvailability(bob, deps, reservationRequest(merchant.publicId, { time }))).slots.some(
      (slot) => slot.time === time,
    )
  expect(await isFree('19:00')).toBe(false)
  await holdTable(ada, deps, reservationRequest(merchant.publicId, { time: '21:30' }))
  expect([await isFree('19:00'), await isFree('21:30')]).toEqual([true, false])
  clock.now = new Date(clock.now.getTime() + 5 * MINUTE)
  expect(await isFree('21:30')).toBe(true)
  expect((await makeReservation(bob, deps, reservationRequest(merchant.publicId, { time: '21:30' }))).status).toBe(
    'booked',
  )
})

test('RESV-003 a change that fails restores every field, and the evening still earns its bonus', async () => {
  // Only Fridays have rewards, and so a bonus.
  const merchant = await addMerchant([2], { offers: [{ type: 'Unlimited', startsOn: '2026-01-01', days: [5] }] })
  const ctx = await memberContext()
  const { memberId } = ctx.actor
  const card = await addCard(ctx.db, memberId)
  const made = await makeReservation(ctx, deps, reservationRequest(merchant.publicId))
  const saturday = '2026-11-21'
  await makeReservation(await memberContext(), deps, reservationRequest(merchant.publicId, { date: saturday }))
  const stored = async () => {
    const { updated_at: _, ...row } = await ctx.db
      .selectFrom('reservations')
      .selectAll()
      .where('public_id', '=', made.id)
      .executeTakeFirstOrThrow()
    return row
  }
  const before = await stored()
  expect(before.bonus).not.toBeNull()
  clock.now = new Date(clock.now.getTime() + 60 * MINUTE)
  const wanted = { date: saturday, time: '19:30', partySize: 1 }
  expect(await resultCode(changeReservation(ctx, deps, made.id, wanted))).toBe('slotTaken')
  expect(await stored()).toEqual(before)
  await receiveEvent(
    ctx,
    feedEvent('transaction.clearing', {
      id: `dine-${made.id}`,
      programId: 'skyharbor',
      datetime: `${friday}T23:55:00.000Z`,
      amount: '50.00',
      card: { id: card.token, lastNumbers: card.lastFour },
      location: { id: merchant.locationId },
    }),
  )
  expect(await getBalance(ctx.db, memberId, 'mile')).toBe(650)
})

test('RESV-003 a visit that is reported during a change which then fails earns the bonus of the old time', async () => {
  // The new time would have no bonus, on a Saturday.
  const offers = [{ type: 'Unlimited', startsOn: '2026-01-01', days: [5] }]
  const merchant = await addMerchant([2], { reservationProvider: 'http', offers })
  const ctx = await memberContext()
  const { memberId } = ctx.actor
  const card = await addCard(ctx.db, memberId)
  const own = ownProvider(ctx.db)
  const made = await makeReservation(ctx, { ...deps, http: own }, reservationRequest(merchant.publicId))
  clock.now = new Date(`${friday}T22:35:00.000Z`)
  const visit = feedEvent('transaction.clearing', {
    id: `dine-${made.id}`,
    programId: 'skyharbor',
    datetime: `${friday}T22:30:00.000Z`,
    amount: '50.00',
    card: { id: card.token, lastNumbers: card.lastFour },
    location: { id: merchant.locationId },
  })
  const listBonuses = (date: string) =>
    findBonusReservations(ctx.db, { memberId, merchantId: merchant.id, dates: [date] })
  const duringChange: unknown[] = []
  let calls = 0
  const http = {
    ...own,
    async book(...given: Parameters<typeof own.book>) {
      calls++
      if (calls > 1) return own.book(...given)
      await receiveEvent(ctx, visit)
      for (const date of [friday, '2026-11-21']) duringChange.push(await listBonuses(date))
      throw new Error('the connection was lost')
    },
  }
  const later = { date: '2026-11-21', time: '20:00', partySize: 2 }
  expect(await resultCode(changeReservation(ctx, { ...deps, http }, made.id, later))).toBe('reservationFailed')
  expect([calls, await getBalance(ctx.db, memberId, 'mile')]).toEqual([2, 650])
  expect(duringChange).toEqual([await listBonuses(friday), []])
  expect(duringChange[0]).toMatchObject([{ publicId: made.id, localDate: friday }])
})

test('RESV-003 a failed change to a time with a bonus leaves a reservation without one as it was', async () => {
  const offers = [{ type: 'Unlimited', startsOn: '2026-01-01', days: [5] }]
  const merchant = await addMerchant([2], { offers })
  const ctx = await memberContext()
  const made = await makeReservation(ctx, deps, reservationRequest(merchant.publicId, { date: '2026-11-21' }))
  await makeReservation(await memberContext(), deps, reservationRequest(merchant.publicId))
  // JSON's null is a value of its own in the database.
  const readBonus = async () => {
    const { rows } = await sql<{ bonus: string | null }>`
      select bonus::text from reservations where public_id = ${made.id}`.execute(ctx.db)
    return rows
  }
  expect(await readBonus()).toEqual([{ bonus: null }])
  const wanted = { date: friday, time: '19:00', partySize: 2 }
  expect(await resultCode(changeReservation(ctx, deps, made.id, wanted))).toBe('slotTaken')
  expect(await readBonus()).toEqual([{ bonus: null }])
  await changeReservation(ctx, deps, made.id, { date: '2026-11-21', time: '19:00', partySize: 1 })
  expect(await readBonus()).toEqual([{ bonus: null }])
})
