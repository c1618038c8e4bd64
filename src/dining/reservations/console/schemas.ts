import { z } from 'zod'
import { reason } from '../../../console-kit/reason.ts'
import { defineSchemas } from '../../../platform/call.ts'
import { Day } from '../../../platform/day.ts'
import { filterText, listOf, pageQuery } from '../../../platform/list-call.ts'

const State = z.enum(['booking', 'booked', 'noShow', 'canceling', 'canceled', 'failed'])

export const ListedReservation = z.object({
  id: z.string(),
  startsAt: z.iso.datetime(),
  /** Local to the restaurant. */
  date: z.iso.date(),
  time: z.string(),
  partySize: z.number().int(),
  merchantName: z.string(),
  memberName: z.string(),
  memberId: z.string(),
  state: State,
  confirmation: z.string(),
  /** As text; null without one. */
  bonus: z.string().nullable(),
  bonusEarned: z.boolean(),
})
export type ListedReservation = z.infer<typeof ListedReservation>

export const listReservationsOfProgram = defineSchemas({
  summary: 'Lists reservations, the latest first',
  query: z.object({
    ...pageQuery,
    from: Day.optional(),
    to: Day.optional(),
    restaurant: filterText,
    member: filterText,
    state: z.enum(['any', ...State.options]).default('any'),
  }),
  reply: listOf(ListedReservation),
})

const params = z.object({ id: z.string().max(60) })

export const ReservationDetail = ListedReservation.extend({
  merchantId: z.string(),
  city: z.string(),
  provider: z.string(),
  bookedAt: z.iso.datetime(),
  agreedAt: z.iso.datetime(),
  isOver: z.boolean(),
  /** Why the bonus is, or is not, paid. */
  bonusWords: z.string(),
  meals: z.array(z.object({ id: z.string(), dinedAt: z.iso.datetime(), words: z.string() })),
  history: z.array(z.object({ at: z.iso.datetime(), text: z.string(), by: z.string().nullable() })),
  messages: z.array(
    z.object({
      at: z.iso.datetime(),
      request: z.enum(['book', 'cancel']),
      outcome: z.string(),
      confirmation: z.string().nullable(),
    }),
  ),
})
export type ReservationDetail = z.infer<typeof ReservationDetail>

export const getReservation = defineSchemas({
  summary: 'Returns a reservation with its history and what the booking provider answered',
  params,
  reply: ReservationDetail,
  errors: { notFound: 404 },
})

export const confirmReservationByOperator = defineSchemas({
  summary: 'Asks the provider again for the table of a reservation whose booking had no known outcome',
  params,
  reply: ReservationDetail,
  errors: { notFound: 404, conflict: 409, slotTaken: 409, holdExpired: 409, reservationFailed: 502 },
})

export const cancelReservationByOperator = defineSchemas({
  summary: 'Cancels a reservation as its member does. The member gets an email',
  params,
  body: z.object({
    /** The time that the operator was shown. */
    startsAt: z.iso.datetime(),
    reason,
  }),
  multiline: ['reason'],
  reply: ReservationDetail,
  errors: { notFound: 404, conflict: 409 },
})

export const markNoShow = defineSchemas({
  summary: 'Marks that the guests did not come, or that they did after all',
  params,
  body: z.object({ isNoShow: z.boolean() }),
  reply: ReservationDetail,
  errors: { notFound: 404, conflict: 409, honored: 409, tooEarly: 409 },
})
