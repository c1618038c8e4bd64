import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { Availability, AvailabilityState, Bonus, Reservation, Slot } from './schemas.ts'

export const getAvailability = defineCall<typeof schemas.getAvailability>()({
  id: 'getAvailability',
  method: 'GET',
  path: '/api/v2/Merchants/:merchantId/Reservations/Availability',
  access: 'anyone',
})

export const holdTable = defineCall<typeof schemas.holdTable>()({
  id: 'holdTable',
  method: 'POST',
  path: '/api/Member/Reservations/Holds',
  access: 'member',
})

export const makeReservation = defineCall<typeof schemas.makeReservation>()({
  id: 'makeReservation',
  method: 'POST',
  path: '/api/Member/Reservations',
  access: 'member',
})

export const listReservations = defineCall<typeof schemas.listReservations>()({
  id: 'listReservations',
  method: 'GET',
  path: '/api/Member/Reservations',
  access: 'member',
})

export const changeReservation = defineCall<typeof schemas.changeReservation>()({
  id: 'changeReservation',
  method: 'PUT',
  path: '/api/Member/Reservations/:reservationId',
  access: 'member',
})

export const cancelReservation = defineCall<typeof schemas.cancelReservation>()({
  id: 'cancelReservation',
  method: 'DELETE',
  path: '/api/Member/Reservations/:reservationId',
  access: 'member',
})

export const getReservationCalendar = defineCall<typeof schemas.getReservationCalendar>()({
  id: 'getReservationCalendar',
  method: 'GET',
  path: '/api/Member/Reservations/:reservationId/Calendar',
  access: 'member',
})
