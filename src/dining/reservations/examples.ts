import { type CallGroup, example } from '../../platform/call-examples.ts'
import {
  cancelReservation,
  changeReservation,
  getAvailability,
  getReservationCalendar,
  holdTable,
  listReservations,
  makeReservation,
  type Reservation,
} from './contract.ts'
import * as schemas from './schemas.ts'

const merchantId = 'trattoria-lucia-new-york'
const slot = { date: '2026-12-04', time: '19:15', partySize: 2 }
const holdToken = 'h0v0cXb6rQ2nT8kYw5ZpAhM3v0cXb6rQ'
const reservation: Reservation = {
  id: 'r8kYw5ZpAhM3v0cXb6rQ2n',
  merchantId,
  merchantName: 'Trattoria Lucia',
  address: '118 West 27th Street, New York, NY 10001',
  phone: '2125550148',
  ...slot,
  timeZone: 'America/New_York',
  startsAt: '2026-12-05T00:15:00.000Z',
  confirmation: 'QK4T7M',
  status: 'booked',
  bonus: { amount: 500, type: 'miles', condition: 'Book here, dine within two hours of the booked time.' },
  bonusEarned: false,
}
const params = { reservationId: reservation.id }
const calendar = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Dineback//Reservations//EN',
  'METHOD:PUBLISH',
  'BEGIN:VEVENT',
  `UID:${reservation.id}@skyharbor.example.com`,
  'DTSTAMP:20261120T183000Z',
  'DTSTART:20261205T001500Z',
  'DTEND:20261205T014500Z',
  'SUMMARY:Trattoria Lucia',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n')

export const reservationExamples: CallGroup = {
  tag: 'Reservations',
  place: 170,
  pathsPlace: 126,
  description: 'Free tables, and the reservations of the member. Dates and times are local to the restaurant.',
  examples: [
    example(getAvailability, schemas.getAvailability, {
      params: { merchantId },
      query: slot,
      reply: {
        state: 'available',
        slots: [
          { time: '19:00', bonus: true },
          { time: '19:15', bonus: true },
        ],
        nextDate: null,
      },
    }),
    example(holdTable, schemas.holdTable, {
      body: { merchantId, ...slot },
      reply: { token: holdToken, expiresAt: '2026-11-20T18:35:00.000Z' },
    }),
    example(makeReservation, schemas.makeReservation, { body: { merchantId, ...slot, holdToken }, reply: reservation }),
    example(listReservations, schemas.listReservations, { reply: { upcoming: [reservation], past: [] } }),
    example(changeReservation, schemas.changeReservation, {
      params,
      body: { ...slot, partySize: 3 },
      reply: { ...reservation, partySize: 3 },
    }),
    example(cancelReservation, schemas.cancelReservation, {
      params,
      query: { startsAt: reservation.startsAt },
      reply: { ...reservation, status: 'cancelled', bonus: null },
    }),
    example(getReservationCalendar, schemas.getReservationCalendar, { params, reply: calendar }),
  ],
}
