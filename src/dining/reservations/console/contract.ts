import { defineCall } from '../../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { ListedReservation, ReservationDetail } from './schemas.ts'

const reservations = '/api/programs/:program/reservations'

export const listReservationsOfProgram = defineCall<typeof schemas.listReservationsOfProgram>()({
  id: 'listReservationsOfProgram',
  method: 'GET',
  path: reservations,
  access: 'operator',
  permission: 'reservations.read',
})

export const getReservation = defineCall<typeof schemas.getReservation>()({
  id: 'getReservation',
  method: 'GET',
  path: `${reservations}/:id`,
  access: 'operator',
  permission: 'reservations.read',
  audited: true,
})

export const confirmReservationByOperator = defineCall<typeof schemas.confirmReservationByOperator>()({
  id: 'confirmReservationByOperator',
  method: 'POST',
  path: `${reservations}/:id/confirm`,
  access: 'operator',
  permission: 'reservations.edit',
})

export const cancelReservationByOperator = defineCall<typeof schemas.cancelReservationByOperator>()({
  id: 'cancelReservationByOperator',
  method: 'POST',
  path: `${reservations}/:id/cancel`,
  access: 'operator',
  permission: 'reservations.edit',
})

export const markNoShow = defineCall<typeof schemas.markNoShow>()({
  id: 'markNoShow',
  method: 'POST',
  path: `${reservations}/:id/no-show`,
  access: 'operator',
  permission: 'reservations.edit',
})
