import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../platform/http/register-route.ts'
import * as calls from './contract.ts'
import * as schemas from './schemas.ts'
import * as service from './service.ts'

/** Registers the calls about requests that need a second person. */
export function approvalRoutes(app: FastifyInstance, executions: service.Executions): void {
  registerRoute(app, calls.listApprovals, schemas.listApprovals, (ctx, { query }) => service.listApprovals(ctx, query))
  registerRoute(app, calls.getApproval, schemas.getApproval, (ctx, { params }) =>
    service.getApproval(ctx, executions, params.id),
  )
  registerRoute(app, calls.decideApproval, schemas.decideApproval, (ctx, { params, body }) =>
    service.decideApproval(ctx, executions, { ...params, ...body }),
  )
}
