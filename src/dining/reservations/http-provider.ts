import { z } from 'zod'
import { ApiError } from '../../platform/errors.ts'
import { addDays, SECOND } from '../../platform/time.ts'
import type { Booking, BookingProvider, Guest, Restaurant, Seat } from './booking-provider.ts'
import { minLeadMs, type SeatingTime, seatingTimes, turnMinutes } from './rules.ts'

export interface HttpProviderOptions {
  url: string
  /** Basic authentication, as `name:password`. */
  credentials: string
  fetch: typeof fetch
  /** Timeout of a call in milliseconds. */
  timeoutMs?: number
}

const Slot = z.object({ start_sec: z.coerce.number(), duration_sec: z.coerce.number() })
const LookupResponse = z.object({
  slot_time_availability: z.array(z.object({ slot_time: Slot, available: z.boolean() })),
})
const Failure = z.object({ cause: z.string() })
const LeaseResponse = z.object({
  lease: z.object({ lease_id: z.string(), lease_expiration_time_sec: z.coerce.number() }).optional(),
  booking_failure: Failure.optional(),
})
const BookingResponse = z.object({
  booking: z.object({ booking_id: z.string(), status: z.string() }).optional(),
  booking_failure: Failure.optional(),
})

/** Error codes for the published causes of failure. Any other cause is a failure that members cannot solve. */
const errorCodes: Record<string, string> = {
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
  const send = createSend(options)

  async function create(restaurant: Restaurant, booking: Booking): Promise<string> {
    const response = await send('CreateBooking', BookingResponse, {
      slot: slotOf(restaurant, booking),
      ...(booking.holdToken && { lease_ref: { lease_id: booking.holdToken } }),
      user_information: userOf(booking.guest),
      idempotency_token: booking.token,
    })
    if (response.booking) return response.booking.booking_id
    throw toError(response.booking_failure)
  }

  return {
    // The interface has no call that ends a lease.
    releasesHolds: false,

    async freeTimes(restaurant, { date, days, partySize }, now) {
      const dates = Array.from({ length: days }, (_, index) => addDays(date, index))
      const slots = dates
        .flatMap((day) =>
          seatingTimes(restaurant.hours, day, restaurant.timeZone).map((slot) => ({ ...slot, date: day })),
        )
        .filter(({ startsAt }) => startsAt.getTime() >= now.getTime() + minLeadMs)
      if (slots.length === 0) return { size: null, times: [] }
      const { slot_time_availability: availabilities } = await send('BatchAvailabilityLookup', LookupResponse, {
        merchant_id: restaurant.reservationRef,
        slot_time: slots.map((slot) => timeOf(slot, partySize)),
      })
      const free = new Set(
        availabilities.flatMap(({ available, slot_time }) => (available ? [slot_time.start_sec] : [])),
      )
      return { size: null, times: slots.filter(({ startsAt }) => free.has(seconds(startsAt))) }
    },

    async hold(restaurant, { guest, ...seat }) {
      const response = await send('CreateLease', LeaseResponse, {
        lease: { slot: slotOf(restaurant, seat), user_reference: guest.key },
      })
      if (!response.lease) throw toError(response.booking_failure)
      return {
        holdToken: response.lease.lease_id,
        expiresAt: new Date(response.lease.lease_expiration_time_sec * SECOND),
      }
    },

    async book(restaurant, booking) {
      if (!booking.instead) return { confirmation: await create(restaurant, booking) }
      const response = await send('UpdateBooking', BookingResponse, {
        booking: { booking_id: booking.instead.confirmation, slot: slotOf(restaurant, booking) },
      })
      if (!response.booking) throw toError(response.booking_failure)
      return { confirmation: response.booking.booking_id }
    },

    async cancel(restaurant, { confirmation, ...booking }) {
      // Without the booking id, repeating the same booking returns it.
      const id = confirmation ?? (await create(restaurant, booking).catch(nullIfRejected))
      if (id === null) return
      const response = await send('UpdateBooking', BookingResponse, { booking: { booking_id: id, status: 'CANCELED' } })
      if (response.booking_failure && response.booking_failure.cause !== 'BOOKING_ALREADY_CANCELLED') {
        throw toError(response.booking_failure)
      }
    },
  }
}

/** A definite refusal that members cannot solve. */
class Refused extends Error {}

function nullIfRejected(error: unknown): null {
  if (error instanceof ApiError || error instanceof Refused) return null
  throw error
}

type Send = <S extends z.ZodType>(method: string, schema: S, body: unknown) => Promise<z.output<S>>

function createSend({ url, credentials, fetch, timeoutMs = 6 * SECOND }: HttpProviderOptions): Send {
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
  return async (method, schema, body) => {
    const response = await fetch(`${url}/v3/${method}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.status !== 200) throw new Error(`booking provider: ${method} returned ${response.status}`)
    return schema.parse(await response.json())
  }
}

function toError(bookingFailure: z.output<typeof Failure> | undefined): Error {
  const code = bookingFailure && errorCodes[bookingFailure.cause]
  if (code) return new ApiError(code)
  const isDefinite = bookingFailure !== undefined && bookingFailure.cause !== 'CAUSE_UNSPECIFIED'
  const message = `booking provider: ${bookingFailure?.cause ?? 'an empty response'}`
  return isDefinite ? new Refused(message) : new Error(message)
}

function timeOf({ startsAt }: Pick<SeatingTime, 'startsAt'>, partySize: number) {
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

/** Some people have one name: the server gets no empty one. */
function userOf({ key, firstName, lastName, email }: Guest) {
  return { user_id: key, given_name: firstName, ...(lastName !== '' && { family_name: lastName }), email }
}
