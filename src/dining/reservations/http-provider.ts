import { z } from 'zod'
import { Refusal } from '../../platform/refusal.ts'
import { addDays, SECOND } from '../../platform/time.ts'
import type { Booking, BookingProvider, Guest, Restaurant, Seat } from './booking-provider.ts'
import { latestBefore, type Slotted, seatingTimes, turnMinutes } from './rules.ts'

export interface HttpProviderOptions {
  url: string
  /** Basic authentication, as `name:password`. */
  credentials: string
  fetch: typeof fetch
  /** Timeout of a call in milliseconds. */
  patience?: number
}

const Slot = z.object({ start_sec: z.coerce.number(), duration_sec: z.coerce.number() })
const LookupAnswer = z.object({
  slot_time_availability: z.array(z.object({ slot_time: Slot, available: z.boolean() })),
})
const Failure = z.object({ cause: z.string() })
const LeaseAnswer = z.object({
  lease: z.object({ lease_id: z.string(), lease_expiration_time_sec: z.coerce.number() }).optional(),
  booking_failure: Failure.optional(),
})
const BookingAnswer = z.object({
  booking: z.object({ booking_id: z.string(), status: z.string() }).optional(),
  booking_failure: Failure.optional(),
})

/** Error codes for the published causes of failure. Any other cause is a failure that members cannot solve. */
const refusalOf: Record<string, string> = {
  SLOT_UNAVAILABLE: 'slotTaken',
  LEASE_EXPIRED: 'holdExpired',
  SLOT_ALREADY_BOOKED_BY_USER: 'overlap',
  OVERLAPPING_RESERVATION: 'overlap',
  USER_OVER_QUOTA: 'fraud',
}

/** The one service id that we use for a restaurant. */
const service = 'reservation'
const seconds = (instant: Date) => Math.floor(instant.getTime() / SECOND)

/**
 * Returns a booking provider for the published booking-server interface, version 3: `BatchAvailabilityLookup`,
 * `CreateLease`, `CreateBooking`, `UpdateBooking`. Business failures have status 200 and a cause; an idempotency token
 * makes a repeated call the same booking.
 */
export function httpProvider(options: HttpProviderOptions): BookingProvider {
  const send = caller(options)

  async function create(restaurant: Restaurant, booking: Booking): Promise<string> {
    const answer = await send('CreateBooking', BookingAnswer, {
      slot: slotOf(restaurant, booking),
      ...(booking.holdToken && { lease_ref: { lease_id: booking.holdToken } }),
      user_information: userOf(booking.guest),
      idempotency_token: booking.token,
    })
    if (answer.booking) return answer.booking.booking_id
    throw failure(answer.booking_failure)
  }

  return {
    async freeTimes(restaurant, { date, days, partySize }, now) {
      const dates = Array.from({ length: days }, (_, index) => addDays(date, index))
      const asked = dates
        .flatMap((day) =>
          seatingTimes(restaurant.hours, day, restaurant.timeZone).map((slot) => ({ ...slot, date: day })),
        )
        .filter(({ startsAt }) => startsAt.getTime() >= now.getTime() + latestBefore)
      if (asked.length === 0) return { size: null, times: [] }
      const { slot_time_availability: answers } = await send('BatchAvailabilityLookup', LookupAnswer, {
        merchant_id: restaurant.reservationRef,
        slot_time: asked.map((slot) => timeOf(slot, partySize)),
      })
      const free = new Set(answers.flatMap(({ available, slot_time }) => (available ? [slot_time.start_sec] : [])))
      return { size: null, times: asked.filter(({ startsAt }) => free.has(seconds(startsAt))) }
    },

    async hold(restaurant, { guest, ...seat }) {
      const answer = await send('CreateLease', LeaseAnswer, {
        lease: { slot: slotOf(restaurant, seat), user_reference: guest.key },
      })
      if (!answer.lease) throw failure(answer.booking_failure)
      return {
        holdToken: answer.lease.lease_id,
        expiresAt: new Date(answer.lease.lease_expiration_time_sec * SECOND),
      }
    },

    async book(restaurant, booking) {
      if (!booking.instead) return { confirmation: await create(restaurant, booking) }
      const answer = await send('UpdateBooking', BookingAnswer, {
        booking: { booking_id: booking.instead.confirmation, slot: slotOf(restaurant, booking) },
      })
      if (!answer.booking) throw failure(answer.booking_failure)
      return { confirmation: answer.booking.booking_id }
    },

    async cancel(restaurant, { confirmation, ...booking }) {
      // Without the booking id, repeating the same booking returns it.
      const id = confirmation ?? (await create(restaurant, booking).catch(ifRefused))
      if (id === null) return
      const answer = await send('UpdateBooking', BookingAnswer, { booking: { booking_id: id, status: 'CANCELED' } })
      if (answer.booking_failure && answer.booking_failure.cause !== 'BOOKING_ALREADY_CANCELLED') {
        throw failure(answer.booking_failure)
      }
    },
  }
}

function ifRefused(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
}

type Send = <S extends z.ZodType>(method: string, answer: S, body: unknown) => Promise<z.output<S>>

function caller({ url, credentials, fetch, patience = 6 * SECOND }: HttpProviderOptions): Send {
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
  return async (method, schema, body) => {
    const response = await fetch(`${url}/v3/${method}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patience),
    })
    if (response.status !== 200) throw new Error(`booking provider: ${method} answered ${response.status}`)
    return schema.parse(await response.json())
  }
}

function failure(given: z.output<typeof Failure> | undefined): Error {
  const code = given && refusalOf[given.cause]
  return code ? new Refusal(code) : new Error(`booking provider: ${given?.cause ?? 'an answer without content'}`)
}

function timeOf({ startsAt }: Pick<Slotted, 'startsAt'>, partySize: number) {
  return {
    service_id: service,
    start_sec: seconds(startsAt),
    duration_sec: turnMinutes(partySize) * 60,
    resource_ids: { party_size: partySize },
  }
}

function slotOf(restaurant: Restaurant, { startsAt, partySize }: Seat) {
  const { resource_ids, ...time } = timeOf({ startsAt }, partySize)
  return { merchant_id: restaurant.reservationRef, ...time, resources: resource_ids }
}

function userOf(guest: Guest) {
  return { user_id: guest.key, given_name: guest.firstName, family_name: guest.lastName, email: guest.email }
}
