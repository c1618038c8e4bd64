import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'
import { Day } from '../../platform/day.ts'

/** A local time on a quarter of an hour: `19:15`. */
export const SlotTime = z.string().regex(/^([01]\d|2[0-3]):(00|15|30|45)$/, 'validation.check')
const PartySize = z
  .number('validation.check')
  .int('validation.check')
  .min(1, 'validation.check')
  .max(30, 'validation.check')
const reservationId = z.string().max(60)
const merchantId = z.string('validation.required').min(1, 'validation.required').max(120, 'validation.check')

/** Availability of tables. `noBonus`: there are tables, but none of them earns the bonus. */
export const AvailabilityState = z.enum(['available', 'noBonus', 'none', 'tooBig', 'tooSmall', 'tooFar', 'tooClose'])
export type AvailabilityState = z.infer<typeof AvailabilityState>

export const Slot = z.object({
  time: SlotTime,
  /** Whether it earns the program's reservation bonus. */
  bonus: z.boolean(),
})
export type Slot = z.infer<typeof Slot>

export const Availability = z.object({
  state: AvailabilityState,
  /** In order of time, around the requested time; at most 18. */
  slots: z.array(Slot),
  /** The nearest later date with a table for this party, when there is none on this date. */
  nextDate: z.string().nullable(),
})
export type Availability = z.infer<typeof Availability>

export const getAvailability = defineSchemas({
  summary: 'Lists free tables of a restaurant for a date, a time and a party size',
  params: z.object({ merchantId }),
  query: z.strictObject({
    // Any year: browsers send what has been typed so far. The reply says that the date is past or too far.
    date: z.iso.date('validation.check'),
    time: SlotTime,
    partySize: z.coerce.number('validation.check').pipe(PartySize),
    /** The member's own reservation that is to be changed: its table counts as free. */
    reservationId: reservationId.optional(),
  }),
  reply: Availability,
  // With a reservation, only its member may ask.
  errors: {
    unauthorized: 401,
    merchantNotFound: 404,
    notBookable: 404,
    reservationNotFound: 404,
    reservationFailed: 502,
  },
})

export const Bonus = z.object({ amount: z.number().int(), type: z.string(), condition: z.string() })
export type Bonus = z.infer<typeof Bonus>

export const Reservation = z.object({
  id: z.string(),
  merchantId: z.string(),
  merchantName: z.string(),
  /** The restaurant's street address. */
  address: z.string(),
  phone: z.string(),
  /** In the restaurant's local time. */
  date: z.string(),
  time: SlotTime,
  timeZone: z.string(),
  startsAt: z.iso.datetime(),
  partySize: z.number().int(),
  confirmation: z.string(),
  status: z.enum(['booked', 'cancelled']),
  /** Granted when a linked card pays there that day. */
  bonus: Bonus.nullable(),
  /** Whether a dine has earned the bonus by now. */
  bonusEarned: z.boolean(),
})
export type Reservation = z.infer<typeof Reservation>

const slotFields = { date: Day, time: SlotTime, partySize: PartySize }

/** Error codes that all booking endpoints share. */
const tableErrors = {
  merchantNotFound: 404,
  notBookable: 404,
  slotTaken: 409,
  overlap: 409,
  tooManyAtOnce: 409,
  holdExpired: 410,
  tooBig: 422,
  tooSmall: 422,
  tooFar: 422,
  tooClose: 422,
  timeNotOffered: 422,
  fraud: 403,
  reservationFailed: 502,
} as const

export const holdTable = defineSchemas({
  summary: 'Holds a table for a few minutes while the member confirms',
  body: z.strictObject({ merchantId, ...slotFields }),
  reply: z.object({ token: z.string(), expiresAt: z.iso.datetime() }),
  errors: { ...tableErrors, tooManyReservations: 409, tooManyHolds: 429 },
  perMinute: 30,
})

export const makeReservation = defineSchemas({
  summary: 'Books a held or a free table; sent again, it returns the same reservation',
  body: z.strictObject({ merchantId, ...slotFields, holdToken: z.string().min(16).max(100).optional() }),
  reply: Reservation,
  errors: { ...tableErrors, tooManyReservations: 409, tooManyBookings: 429 },
  perMinute: 20,
})

export const listReservations = defineSchemas({
  summary: 'Lists the reservations of the member: upcoming, next first, and past',
  reply: z.object({ upcoming: z.array(Reservation), past: z.array(Reservation) }),
})

const reservationParams = z.object({ reservationId })

export const changeReservation = defineSchemas({
  summary: 'Changes date, time or party size; the old table is released only after the new one is booked',
  params: reservationParams,
  body: z.strictObject(slotFields),
  reply: Reservation,
  errors: { ...tableErrors, reservationNotFound: 404, alreadyOver: 409, tooManyBookings: 429 },
  perMinute: 20,
})

export const cancelReservation = defineSchemas({
  summary: 'Cancels a reservation; sent again, it changes nothing',
  params: reservationParams,
  /** The time that the member was shown: a reservation that was moved meanwhile is not canceled. */
  query: z.strictObject({ startsAt: z.iso.datetime().optional() }),
  reply: Reservation,
  errors: { reservationNotFound: 404, alreadyOver: 409, reservationChanged: 409, reservationFailed: 502 },
  perMinute: 20,
})

export const getReservationCalendar = defineSchemas({
  summary: 'Returns a reservation as a calendar file',
  params: reservationParams,
  reply: z.string(),
  replyType: 'text/calendar',
  errors: { reservationNotFound: 404 },
})
