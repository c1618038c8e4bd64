import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { BookingProvider } from '../../src/dining/reservations/booking-provider.ts'
import {
  holdMs,
  maxAtOnce,
  maxBookingsPerDay,
  maxExternalHolds,
  maxOpenReservations,
} from '../../src/dining/reservations/rules.ts'
import {
  cancelReservation,
  changeReservation,
  holdTable,
  httpProvider,
  listReservations,
  makeReservation,
} from '../../src/dining/reservations/service.ts'
import type { MemberCtx } from '../../src/platform/http/context.ts'
import { addDays } from '../../src/platform/time.ts'
import { outcomesInParallel } from '../support/in-parallel.ts'
import { createReservationHarness, friday, reservationRequest, resultCode } from '../support/reservation-harness.ts'

const { deps, memberContext, addMerchant, clock } = createReservationHarness()

/** Adds restaurants with a table for two each. Returns their public ids. */
async function addRestaurants(count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) ids.push((await addMerchant([2])).publicId)
  return ids
}

async function countHolds(ctx: MemberCtx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from table_bookings where state = 'held' and held_until > ${clock.now}`.execute(
    ctx.db,
  )
  return rows[0]?.count ?? 0
}

/** The counter lasts a day by the clock of the database: tests with more bookings forget it. */
const forgetBookings = (ctx: MemberCtx) => ctx.db.deleteFrom('attempts').execute()

test('Case 99 a member who holds tables of twenty restaurants at the same moment has one of them', async () => {
  const restaurants = await addRestaurants(20)
  const ctx = await memberContext()
  const outcomes = await outcomesInParallel(20, (index) =>
    holdTable(ctx, deps, reservationRequest(restaurants[index] as string)),
  )
  expect(outcomes).toEqual({ done: 20 })
  expect(await countHolds(ctx)).toBe(1)
})

test('Case 99 the same person in another program has one held table as well', async () => {
  const [first, second] = (await addRestaurants(2)) as [string, string]
  const ctx = await memberContext()
  const other = await memberContext('gallonaire')
  const { email } = await ctx.db
    .selectFrom('members')
    .select('email')
    .where('id', '=', ctx.actor.memberId)
    .executeTakeFirstOrThrow()
  await other.db.updateTable('members').set({ email }).where('id', '=', other.actor.memberId).execute()
  const before = await countHolds(ctx)
  await holdTable(ctx, deps, reservationRequest(first))
  await holdTable(other, deps, reservationRequest(second))
  expect(await countHolds(ctx)).toBe(before + 1)
})

test('a hold that another one replaced can still be confirmed while a table is free', async () => {
  const [first, second] = (await addRestaurants(2)) as [string, string]
  const ctx = await memberContext()
  const { token } = await holdTable(ctx, deps, reservationRequest(first))
  await holdTable(ctx, deps, reservationRequest(second))
  expect(await resultCode(makeReservation(ctx, deps, { ...reservationRequest(first), holdToken: token }))).toBe('done')
})

describe('within two hours', () => {
  test('RESV-017 Case 99 a member has at most two tables, also when twenty are booked at once', async () => {
    expect(maxAtOnce).toBe(2)
    const restaurants = await addRestaurants(20)
    const ctx = await memberContext()
    const outcomes = await outcomesInParallel(20, (index) =>
      makeReservation(ctx, deps, reservationRequest(restaurants[index] as string)),
    )
    expect(outcomes).toEqual({ done: 2, tooManyAtOnce: 18 })
    expect((await listReservations(ctx)).upcoming).toHaveLength(2)
  })

  test('RESV-017 the third table can be neither held nor booked, and two hours later it can', async () => {
    const [a, b, c] = (await addRestaurants(3)) as [string, string, string]
    const ctx = await memberContext()
    await makeReservation(ctx, deps, reservationRequest(a, { time: '18:15' }))
    await makeReservation(ctx, deps, reservationRequest(b, { time: '18:30' }))
    const third = (time: string) => reservationRequest(c, { time })
    expect(await resultCode(holdTable(ctx, deps, third('20:00')))).toBe('tooManyAtOnce')
    expect(await resultCode(makeReservation(ctx, deps, third('20:00')))).toBe('tooManyAtOnce')
    // One of the two is two hours before.
    const { token } = await holdTable(ctx, deps, third('20:15'))
    expect(await resultCode(makeReservation(ctx, deps, { ...third('20:15'), holdToken: token }))).toBe('done')
  })

  test('RESV-017 a change to a time with two other tables is rejected, and one of the party only is not', async () => {
    const [a, b, c] = (await addRestaurants(3)) as [string, string, string]
    const ctx = await memberContext()
    await makeReservation(ctx, deps, reservationRequest(a))
    await makeReservation(ctx, deps, reservationRequest(b))
    const late = await makeReservation(ctx, deps, reservationRequest(c, { time: '21:00' }))
    const change = (time: string, partySize: number) =>
      resultCode(changeReservation(ctx, deps, late.id, { date: friday, time, partySize }))
    expect(await change('20:45', 2)).toBe('tooManyAtOnce')
    expect(await change('21:00', 1)).toBe('done')
    expect(await change('22:00', 2)).toBe('done')
  })

  test('RESV-017 a canceled table does not count', async () => {
    const [a, b, c] = (await addRestaurants(3)) as [string, string, string]
    const ctx = await memberContext()
    const { id } = await makeReservation(ctx, deps, reservationRequest(a))
    await makeReservation(ctx, deps, reservationRequest(b))
    await cancelReservation(ctx, deps, id)
    expect(await resultCode(makeReservation(ctx, deps, reservationRequest(c)))).toBe('done')
  })
})

describe('upcoming reservations', () => {
  test('RESV-018 Case 99 of a member are at most thirty, also when the last ones are booked at once', async () => {
    expect(maxOpenReservations).toBe(30)
    const { publicId } = await addMerchant([2])
    const ctx = await memberContext()
    const on = (day: number) => reservationRequest(publicId, { date: addDays(friday, day) })
    for (let day = 0; day < 29; day++) await makeReservation(ctx, deps, on(day))
    await forgetBookings(ctx)
    expect(await outcomesInParallel(10, (index) => makeReservation(ctx, deps, on(29 + index)))).toEqual({
      done: 1,
      tooManyReservations: 9,
    })
    expect(await resultCode(holdTable(ctx, deps, on(50)))).toBe('tooManyReservations')
    // One that exists can be changed, and makes room once it is canceled or over.
    const { upcoming } = await listReservations(ctx)
    const [first, second] = upcoming.map(({ id }) => id) as [string, string]
    expect(await resultCode(changeReservation(ctx, deps, first, { date: friday, time: '18:00', partySize: 2 }))).toBe(
      'done',
    )
    await cancelReservation(ctx, deps, second)
    expect(await resultCode(makeReservation(ctx, deps, on(60)))).toBe('done')
    expect(await resultCode(makeReservation(ctx, deps, on(61)))).toBe('tooManyReservations')
    clock.now = new Date('2026-11-21T12:00:00Z')
    expect(await resultCode(makeReservation(ctx, deps, on(61)))).toBe('done')
  })
})

describe('bookings and changes', () => {
  test('RESV-019 Case 99 of a member are at most forty a day, whether or not they are canceled', async () => {
    expect(maxBookingsPerDay).toBe(40)
    const { publicId } = await addMerchant([2])
    const ctx = await memberContext()
    const booked = await makeReservation(ctx, deps, reservationRequest(publicId))
    const change = (index: number) =>
      changeReservation(ctx, deps, booked.id, { date: friday, time: index % 2 === 0 ? '19:30' : '19:00', partySize: 2 })
    for (let index = 0; index < 37; index++) await change(index)
    const others = await addRestaurants(1)
    const on = (day: number) => reservationRequest(others[0] as string, { date: addDays(friday, day) })
    expect(await outcomesInParallel(8, (index) => makeReservation(ctx, deps, on(1 + index)))).toEqual({
      done: 2,
      tooManyBookings: 6,
    })
    expect(await resultCode(change(37))).toBe('tooManyBookings')
    expect(await resultCode(holdTable(ctx, deps, on(20)))).toBe('done')
    // Neither a repeated request nor a cancellation is a further one, and other members are not affected.
    const { upcoming } = await listReservations(ctx)
    const { date, time } = upcoming.find(({ id }) => id === booked.id) as (typeof upcoming)[number]
    expect(await resultCode(makeReservation(ctx, deps, reservationRequest(publicId, { date, time })))).toBe('done')
    await cancelReservation(ctx, deps, booked.id)
    const other = await memberContext()
    expect(await resultCode(makeReservation(other, deps, on(30)))).toBe('done')
  })
})

describe('tables held at an external provider, which no later hold releases', () => {
  const leases: string[] = []
  const http: Pick<BookingProvider, 'hold' | 'releasesHolds'> = {
    releasesHolds: httpProvider({ url: '', credentials: '', fetch }).releasesHolds,
    async hold() {
      const holdToken = `lease-of-the-provider-${leases.length}`
      leases.push(holdToken)
      return { holdToken, expiresAt: new Date(clock.now.getTime() + holdMs) }
    },
  }

  test('RESV-020 Case 99 of a member are at most ten in five minutes, also when thirty are held at once', async () => {
    expect(maxExternalHolds).toBe(10)
    const { publicId } = await addMerchant([2], { reservationProvider: 'http', reservationRef: 'r-1' })
    const ctx = await memberContext()
    const external = { ...deps, http: http as BookingProvider }
    const outcomes = await outcomesInParallel(30, () => holdTable(ctx, external, reservationRequest(publicId)))
    expect(outcomes).toEqual({ done: 10, tooManyHolds: 20 })
    expect(leases).toHaveLength(10)
  })
})
