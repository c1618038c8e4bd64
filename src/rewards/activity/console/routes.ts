import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../../platform/http/register-route.ts'
import * as calls from './contract.ts'
import * as recalculations from './recalculation-service.ts'
import * as schemas from './schemas.ts'
import * as service from './service.ts'

/** Registers the console's calls about transactions. */
export function transactionsConsoleRoutes(app: FastifyInstance): void {
  registerRoute(app, calls.listTransactions, schemas.listTransactions, (ctx, { query }) =>
    service.listTransactions(ctx, query),
  )
  registerRoute(app, calls.exportTransactions, schemas.exportTransactions, (ctx, { query }, http) =>
    service.exportTransactions(ctx, query, http),
  )
  registerRoute(app, calls.getTransaction, schemas.getTransaction, (ctx, { params }) =>
    service.getTransaction(ctx, params.id),
  )
  registerRoute(app, calls.previewRecalculation, schemas.previewRecalculation, (ctx, { body }) =>
    recalculations.previewRecalculation(ctx, body.scope),
  )
  registerRoute(app, calls.recalculateTransactions, schemas.recalculateTransactions, (ctx, { body }) =>
    recalculations.recalculateTransactions(ctx, body),
  )
}
