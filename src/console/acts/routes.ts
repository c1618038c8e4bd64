import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../platform/http/register-route.ts'
import * as calls from './contract.ts'
import * as log from './log.ts'
import * as schemas from './schemas.ts'

/** Registers the console's calls about the audit log. */
export function actsRoutes(app: FastifyInstance): void {
  registerRoute(app, calls.listActs, schemas.listActs, (ctx, { query }) => log.listActs(ctx, query))
  registerRoute(app, calls.getAct, schemas.getAct, (ctx, { params }) => log.getAct(ctx, params.id))
  registerRoute(app, calls.exportActs, schemas.exportActs, (ctx, { query }, http) => log.exportActs(ctx, query, http))
  registerRoute(app, calls.listAllActs, schemas.listAllActs, (ctx, { query }) => log.listActs(ctx, query))
  registerRoute(app, calls.getAnyAct, schemas.getAnyAct, (ctx, { params }) => log.getAct(ctx, params.id))
  registerRoute(app, calls.exportAllActs, schemas.exportAllActs, (ctx, { query }, http) =>
    log.exportActs(ctx, query, http),
  )
  registerRoute(app, calls.getActsCheck, schemas.getActsCheck, (ctx) => log.getActsCheck(ctx))
}
