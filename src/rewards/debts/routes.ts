import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../platform/http/register-route.ts'
import { listCarriedDebts } from './contract.ts'
import { readCarriedDebts } from './read-carried.ts'
import * as schemas from './schemas.ts'

export function debtRoutes(app: FastifyInstance): void {
  registerRoute(app, listCarriedDebts, schemas.listCarriedDebts, (ctx) => readCarriedDebts(ctx))
}
