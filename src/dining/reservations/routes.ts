import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../platform/http/register-route.ts'
import * as calls from './contract.ts'
import * as schemas from './schemas.ts'
import type { ReservationDeps } from './service.ts'
import * as reservations from './service.ts'

export function reservationRoutes(app: FastifyInstance, deps: ReservationDeps): void {
  registerRoute(app, calls.getAvailability, schemas.getAvailability, (ctx, { params, query }) =>
    reservations.readAvailability(ctx, deps, { ...params, ...query }),
  )
  registerRoute(app, calls.holdTable, schemas.holdTable, (ctx, { body }) => reservations.holdTable(ctx, deps, body))
  registerRoute(app, calls.makeReservation, schemas.makeReservation, (ctx, { body }) =>
    reservations.makeReservation(ctx, deps, body),
  )
  registerRoute(app, calls.listReservations, schemas.listReservations, (ctx) => reservations.listReservations(ctx))
  registerRoute(app, calls.changeReservation, schemas.changeReservation, (ctx, { params, body }) =>
    reservations.changeReservation(ctx, deps, params.reservationId, body),
  )
  registerRoute(app, calls.cancelReservation, schemas.cancelReservation, (ctx, { params, query }) =>
    reservations.cancelReservation(ctx, deps, params.reservationId, query.startsAt),
  )
  registerRoute(
    app,
    calls.getReservationCalendar,
    schemas.getReservationCalendar,
    async (ctx, { params }, { reply }) => {
      const file = await reservations.readCalendar(ctx, deps, params.reservationId)
      reply.type('text/calendar; charset=utf-8').header('content-disposition', 'attachment; filename="reservation.ics"')
      return file
    },
  )
}
