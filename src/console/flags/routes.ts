import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../platform/http/register-route.ts'
import * as calls from './contract.ts'
import * as schemas from './schemas.ts'
import * as service from './service.ts'

/** Registers the console's calls about feature flags and maintenance. */
export function flagsConsoleRoutes(app: FastifyInstance): void {
  registerRoute(app, calls.listFlags, schemas.listFlags, (ctx) => service.listFlags(ctx))
  registerRoute(app, calls.setFlag, schemas.setFlag, (ctx, { params, body }) => service.setFlag(ctx, params, body))
  registerRoute(app, calls.setMaintenance, schemas.setMaintenance, (ctx, { body }) =>
    service.switchMaintenance(ctx, body),
  )
}
