import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../platform/http/register-route.ts'
import * as calls from './contract.ts'
import * as schemas from './schemas.ts'
import { searchProgram, searchPrograms } from './service.ts'

/** Registers the calls of the command palette. */
export function searchRoutes(app: FastifyInstance): void {
  registerRoute(app, calls.searchProgram, schemas.searchProgram, (ctx, { query }) => searchProgram(ctx, query.q))
  registerRoute(app, calls.searchPrograms, schemas.searchPrograms, (ctx, { query }) => searchPrograms(ctx, query.q))
}
