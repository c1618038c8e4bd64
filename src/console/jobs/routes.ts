import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../platform/http/register-route.ts'
import * as calls from './contract.ts'
import * as schemas from './schemas.ts'
import * as service from './service.ts'

/** Registers the console's calls about background jobs. */
export function jobsConsoleRoutes(app: FastifyInstance): void {
  registerRoute(app, calls.listQueues, schemas.listQueues, (ctx) => service.listQueues(ctx))
  registerRoute(app, calls.listJobs, schemas.listJobs, (ctx, { query }) => service.listJobs(ctx, query))
  registerRoute(app, calls.getJob, schemas.getJob, (ctx, { params }) => service.getJob(ctx, params.id))
  registerRoute(app, calls.previewJobs, schemas.previewJobs, (ctx, { body }) =>
    service.previewJobs(ctx, body.act, body.ids),
  )
  registerRoute(app, calls.retryJobs, schemas.retryJobs, (ctx, { body }) => service.changeJobs(ctx, 'retry', body))
  registerRoute(app, calls.discardJobs, schemas.discardJobs, (ctx, { body }) =>
    service.changeJobs(ctx, 'discard', body),
  )
}
