import type { FastifyInstance } from 'fastify'
import { serve } from '../../platform/http/serve.ts'
import * as calls from './contract.ts'
import type { Desk } from './service.ts'
import * as reservations from './service.ts'

export function reservationRoutes(app: FastifyInstance, desk: Desk): void {
  serve(app, calls.getAvailability, (ctx, { params, query }) =>
    reservations.readAvailability(ctx, desk, { ...params, ...query }),
  )
  serve(app, calls.holdTable, (ctx, { body }) => reservations.holdTable(ctx, desk, body))
  serve(app, calls.makeReservation, (ctx, { body }) => reservations.makeReservation(ctx, desk, body))
  serve(app, calls.listReservations, (ctx) => reservations.listReservations(ctx))
  serve(app, calls.changeReservation, (ctx, { params, body }) =>
    reservations.changeReservation(ctx, desk, params.reservationId, body),
  )
  serve(app, calls.cancelReservation, (ctx, { params }) =>
    reservations.cancelReservation(ctx, desk, params.reservationId),
  )
  serve(app, calls.getReservationCalendar, async (ctx, { params }, { reply }) => {
    const file = await reservations.readCalendar(ctx, desk, params.reservationId)
    reply.type('text/calendar; charset=utf-8').header('content-disposition', 'attachment; filename="reservation.ics"')
    return file
  })
}
