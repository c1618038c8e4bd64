import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../../platform/http/register-route.ts'
import * as calls from './contract.ts'
import * as schemas from './schemas.ts'
import * as service from './service.ts'

export type { ReservationsConsoleDeps } from './service.ts'

/** Registers the console's calls about reservations. */
export function reservationsConsoleRoutes(app: FastifyInstance, deps: service.ReservationsConsoleDeps): void {
  registerRoute(app, calls.listReservationsOfProgram, schemas.listReservationsOfProgram, (ctx, { query }) =>
    service.listReservationsOfProgram(ctx, query),
  )
  registerRoute(app, calls.getReservation, schemas.getReservation, (ctx, { params }) =>
    service.getReservation(ctx, deps, params.id),
  )
  registerRoute(app, calls.confirmReservationByOperator, schemas.confirmReservationByOperator, (ctx, { params }) =>
    service.confirmByOperator(ctx, deps, params.id),
  )
  registerRoute(app, calls.cancelReservationByOperator, schemas.cancelReservationByOperator, (ctx, { params, body }) =>
    service.cancelByOperator(ctx, deps, params.id, body),
  )
  registerRoute(app, calls.markNoShow, schemas.markNoShow, (ctx, { params, body }) =>
    service.markNoShow(ctx, deps, params.id, body.isNoShow),
  )
}
