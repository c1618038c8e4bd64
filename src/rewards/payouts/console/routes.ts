import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../../platform/http/register-route.ts'
import * as calls from './contract.ts'
import * as schemas from './schemas.ts'
import * as service from './service.ts'

/** Registers the console's calls about statement credits. */
export function payoutsConsoleRoutes(app: FastifyInstance): void {
  registerRoute(app, calls.listCredits, schemas.listCredits, (ctx, { query }) => service.listCredits(ctx, query))
  registerRoute(app, calls.exportCredits, schemas.exportCredits, (ctx, { query }, http) =>
    service.exportCredits(ctx, query, http),
  )
  registerRoute(app, calls.getCredit, schemas.getCredit, (ctx, { params }) => service.getCredit(ctx, params.id))
  registerRoute(app, calls.askProcessor, schemas.askProcessor, (ctx, { params }) =>
    service.askProcessor(ctx, params.id),
  )
  registerRoute(app, calls.previewCreditDecision, schemas.previewCreditDecision, (ctx, { params, body }) =>
    service.previewDecision(ctx, params.id, body.decision),
  )
  registerRoute(app, calls.decideCredit, schemas.decideCredit, (ctx, { params, body }) =>
    service.decideCredit(ctx, params.id, body),
  )
}
