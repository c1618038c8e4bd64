import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  cancelReservation,
  listReservations,
  makeReservation,
  readAvailability,
  readCalendar,
} from '../../src/dining/reservations/service.ts'
import type { MemberCtx } from '../../src/platform/http/context.ts'
import { createReservationHarness, reservationRequest, resultCode } from '../support/reservation-harness.ts'

const { deps, memberContext, addMerchant } = createReservationHarness()

/** Stores a reservation of a member at noon of each day of a period, in UTC. */
async function insertDays({ db, actor }: MemberCtx, merchantId: number, first: string, last: string) {
  await sql`insert into reservations (public_id, member_id, merchant_id, provider, token, status, starts_at, clear_until,
      local_date, local_time, party_size, confirmation, agreed_at, created_at, updated_at)
    select md5(random()::text), ${actor.memberId}, ${merchantId}, 'book', md5(random()::text), 'booked',
      noon, noon + interval '2 hours', noon::date, '07:00', 2, md5(random()::text), now(), now(), now()
    from generate_series(${first}::date + time '12:00', ${last}::date + time '12:00', interval '1 day') as noon`.execute(
    db,
  )
}

test('the next hundred reservations are listed, and the last fifty', async () => {
  const { id } = await addMerchant([2])
  const ctx = await memberContext()
  // The clock is at November 18, 2026, 17:00 UTC.
  await insertDays(ctx, id, '2026-09-01', '2027-03-31')
  const { upcoming, past } = await listReservations(ctx)
  expect([upcoming.length, upcoming[0]?.date, upcoming.at(-1)?.date]).toEqual([100, '2026-11-19', '2027-02-26'])
  expect([past.length, past[0]?.date, past.at(-1)?.date]).toEqual([50, '2026-11-18', '2026-09-30'])
})

test('a reservation that was never confirmed has no calendar file', async () => {
  const { publicId } = await addMerchant([2])
  const ctx = await memberContext()
  expect(await resultCode(makeReservation(ctx, deps, reservationRequest(publicId, { partySize: 6 })))).toBe('tooBig')
  const failed = await ctx.db
    .selectFrom('reservations')
    .select(['public_id', 'status'])
    .where('member_id', '=', ctx.actor.memberId)
    .executeTakeFirstOrThrow()
  expect(failed.status).toBe('failed')
  expect(await resultCode(readCalendar(ctx, deps, failed.public_id))).toBe('reservationNotFound')
})

test('a party gets the smallest table that suits it, and the larger ones stay free for larger parties', async () => {
  const { id, publicId } = await addMerchant([5, 2, 4])
  const seatsOf = async (partySize: number) => {
    const ctx = await memberContext()
    const { confirmation } = await makeReservation(ctx, deps, reservationRequest(publicId, { partySize }))
    const { seats } = await ctx.db
      .selectFrom('table_bookings')
      .innerJoin('merchant_tables', 'merchant_tables.id', 'table_bookings.table_id')
      .select('seats')
      .where('table_bookings.merchant_id', '=', id)
      .where('confirmation', '=', confirmation)
      .executeTakeFirstOrThrow()
    return seats
  }
  expect([await seatsOf(2), await seatsOf(2), await seatsOf(5)]).toEqual([2, 4, 5])
})

test('RESV-005 in a program without a bonus, tables are available without one', async () => {
  const { publicId } = await addMerchant([2])
  const ctx = await memberContext()
  const config = { ...ctx.program.config, hasReservationBonus: false }
  const found = await readAvailability(
    { ...ctx, program: { ...ctx.program, config } },
    deps,
    reservationRequest(publicId),
  )
  expect([found.state, found.slots.some(({ bonus }) => bonus)]).toEqual(['available', false])
})

test('the email about a cancellation requires no card and promises no bonus', async () => {
  const { publicId } = await addMerchant([2])
  const ctx = await memberContext()
  const { id } = await makeReservation(ctx, deps, reservationRequest(publicId))
  await cancelReservation(ctx, deps, id)
  const emails = await ctx.db
    .selectFrom('emails')
    .select(['topic', 'body_text'])
    .where('member_id', '=', ctx.actor.memberId)
    .orderBy('id')
    .execute()
  const hints = /card_missing|mail\.bonus|linked card|mail\.calendar/
  expect(emails.map(({ topic, body_text }) => [topic, hints.test(body_text)])).toEqual([
    ['reservation.booked', true],
    ['reservation.canceled', false],
  ])
})
