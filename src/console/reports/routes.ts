import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../platform/http/register-route.ts'
import * as calls from './contract.ts'
import * as months from './months-service.ts'
import * as schemas from './schemas.ts'
import { exportReport, getReport } from './service.ts'

/** Registers the calls of the reports. */
export function reportsRoutes(app: FastifyInstance): void {
  registerRoute(app, calls.getReport, schemas.getReport, (ctx, { query }) => getReport(ctx, query))
  registerRoute(app, calls.exportReport, schemas.exportReport, (ctx, { query }, http) => exportReport(ctx, query, http))
  registerRoute(app, calls.getRetention, schemas.getRetention, (ctx) => months.getRetention(ctx))
  registerRoute(app, calls.exportRetention, schemas.exportRetention, (ctx, _, http) =>
    months.exportRetention(ctx, http),
  )
  registerRoute(app, calls.listReportMonths, schemas.listReportMonths, (ctx) => months.listReportMonths(ctx))
  registerRoute(app, calls.listOrigins, schemas.listOrigins, (ctx, { query }) => months.listOrigins(ctx, query))
  registerRoute(app, calls.exportOrigins, schemas.exportOrigins, (ctx, { query }, http) =>
    months.exportOrigins(ctx, query, http),
  )
}
