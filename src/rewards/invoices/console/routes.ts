import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../../platform/http/register-route.ts'
import * as calls from './contract.ts'
import * as imports from './import-service.ts'
import * as schemas from './schemas.ts'
import * as service from './service.ts'

/** Registers the console's calls about invoices. */
export function invoicesConsoleRoutes(app: FastifyInstance): void {
  registerRoute(app, calls.listInvoices, schemas.listInvoices, (ctx, { query }) => service.listInvoices(ctx, query))
  registerRoute(app, calls.exportInvoices, schemas.exportInvoices, (ctx, { query }, http) =>
    service.exportInvoices(ctx, query, http),
  )
  registerRoute(app, calls.getInvoice, schemas.getInvoice, (ctx, { params }) => service.getInvoice(ctx, params.id))
  registerRoute(app, calls.addPayment, schemas.addPayment, (ctx, { params, body: { amount, ...payment } }) =>
    service.addPayment(ctx, params.id, { ...payment, cents: amount }),
  )
  registerRoute(app, calls.undoPayment, schemas.undoPayment, (ctx, { params, body }) =>
    service.undoPayment(ctx, { number: params.id, paymentId: params.payment, reason: body.reason }),
  )
  registerRoute(app, calls.previewPayments, schemas.previewPayments, (ctx, { body }) =>
    imports.previewPayments(ctx, body.text),
  )
  registerRoute(app, calls.importPayments, schemas.importPayments, (ctx, { body }) => imports.importPayments(ctx, body))
}
