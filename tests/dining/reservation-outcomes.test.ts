import { expect, test } from 'vitest'
import { ownProvider } from '../../src/dining/reservations/book/own-provider.ts'
import type { BookingProvider } from '../../src/dining/reservations/booking-provider.ts'
import {
  httpProvider,
  makeReservation,
  type ReservationDeps,
  recoverReservation,
} from '../../src/dining/reservations/service.ts'
import type { Ctx } from '../../src/platform/http/context.ts'
import { MINUTE } from '../../src/platform/time.ts'
import { queryAsOwner } from '../support/owner.ts'
import { createReservationHarness, reservationRequest, resultCode } from '../support/reservation-harness.ts'

const { clock, deps, memberContext, addMerchant, harness } = createReservationHarness()

const own = (ctx: Ctx) => ownProvider(ctx.db)
/** A restaurant behind a line that the test breaks; its tables are those of Dineback's own provider. */
const through = (ctx: Ctx, over: Partial<BookingProvider> = {}): ReservationDeps => ({
  ...deps,
  http: { ...own(ctx), ...over },
})
const addRemoteMerchant = (seats: number[]) =>
  addMerchant(seats, { reservationProvider: 'http', reservationRef: `ref-${Math.random()}` })

const rowsOf = async (merchantId: number) => {
  const reservations = await queryAsOwner<{ status: string }>(
    harness.ownerUrl,
    'select status from reservations where merchant_id = $1 order by id',
    [merchantId],
  )
  const tables = await queryAsOwner(harness.ownerUrl, 'select 1 from table_bookings where merchant_id = $1', [
    merchantId,
  ])
  return { reservations: reservations.map(({ status }) => status), tables: tables.length }
}

test('a booking that is repeated while it is undone never ends as a reservation without a table', async () => {
  const merchant = await addRemoteMerchant([2])
  const ctx = await memberContext()
  const [isCanceling, mayCancel] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const loses = through(ctx, {
    async book(...args) {
      await own(ctx).book(...args)
      throw new Error('the answer is lost')
    },
    async cancel(...args) {
      isCanceling.resolve()
      await mayCancel.promise
      return own(ctx).cancel(...args)
    },
  })
  const first = resultCode(makeReservation(ctx, loses, reservationRequest(merchant.publicId)))
  await isCanceling.promise
  const second = resultCode(makeReservation(ctx, through(ctx), reservationRequest(merchant.publicId)))
  expect(await second).toBe('reservationFailed')
  mayCancel.resolve()
  expect(await first).toBe('reservationFailed')
  expect(await rowsOf(merchant.id)).toEqual({ reservations: ['failed'], tables: 0 })
})

test('a booking that reaches the restaurant after it was undone is canceled there, also later', async () => {
  const merchant = await addRemoteMerchant([2])
  const ctx = await memberContext()
  const [isBooking, mayBook] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isAway = false
  const late = through(ctx, {
    async book(...args) {
      isBooking.resolve()
      await mayBook.promise
      return own(ctx).book(...args)
    },
    async cancel(...args) {
      if (isAway) throw new Error('no connection')
      return own(ctx).cancel(...args)
    },
  })
  const loses = through(ctx, { book: () => Promise.reject(new Error('the request is lost')) })
  const first = resultCode(makeReservation(ctx, late, reservationRequest(merchant.publicId)))
  await isBooking.promise
  expect(await resultCode(makeReservation(ctx, loses, reservationRequest(merchant.publicId)))).toBe('reservationFailed')
  expect(await rowsOf(merchant.id)).toEqual({ reservations: ['failed'], tables: 0 })
  isAway = true
  mayBook.resolve()
  expect(await first).toBe('reservationFailed')
  expect((await rowsOf(merchant.id)).tables).toBe(1)
  isAway = false
  clock.now = new Date(clock.now.getTime() + 2 * MINUTE)
  const jobs = await queryAsOwner<{ id: string }>(
    harness.ownerUrl,
    `select data ->> 'id' as id from jobs.job where name = 'reservations' and state = 'created'`,
  )
  for (const { id } of jobs) await recoverReservation(ctx, late, Number(id)).catch(() => {})
  expect(await rowsOf(merchant.id)).toEqual({ reservations: ['failed'], tables: 0 })
})

test('a restaurant’s refusal with a cause of its own is final, and an unspecified one is not', async () => {
  const merchant = await addRemoteMerchant([])
  const ctx = await memberContext()
  let cause = 'PAYMENT_ERROR'
  const fetch = (async () => new Response(JSON.stringify({ booking_failure: { cause } }))) as typeof globalThis.fetch
  const far = { ...deps, http: httpProvider({ url: 'https://book.example', credentials: 'a:b', fetch }) }
  expect(await resultCode(makeReservation(ctx, far, reservationRequest(merchant.publicId)))).toBe('reservationFailed')
  expect((await rowsOf(merchant.id)).reservations).toEqual(['failed'])
  cause = 'CAUSE_UNSPECIFIED'
  expect(await resultCode(makeReservation(ctx, far, reservationRequest(merchant.publicId)))).toBe('reservationFailed')
  expect((await rowsOf(merchant.id)).reservations).toEqual(['failed', 'booking'])
})

test('a booking or cancellation without an answer is settled for days, not hours', async () => {
  const [queue] = await queryAsOwner<{ retry_limit: number; retry_delay_max: number; retry_delay: number }>(
    harness.ownerUrl,
    `select retry_limit, retry_delay, retry_delay_max from jobs.queue where name = 'reservations'`,
  )
  let seconds = 0
  for (let attempt = 0; attempt < (queue?.retry_limit ?? 0); attempt++)
    seconds += Math.min(queue?.retry_delay_max ?? 0, (queue?.retry_delay ?? 0) * 2 ** Math.min(attempt, 20)) / 2
  expect(seconds / 86_400).toBeGreaterThan(3)
})
