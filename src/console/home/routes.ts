import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../platform/http/register-route.ts'
import * as calls from './contract.ts'
import * as schemas from './schemas.ts'
import { getHome, listHomes } from './service.ts'

/** Registers the calls of the home page. */
export function homeRoutes(app: FastifyInstance): void {
  registerRoute(app, calls.getHome, schemas.getHome, (ctx) => getHome(ctx))
  registerRoute(app, calls.listHomes, schemas.listHomes, (ctx) => listHomes(ctx))
}
