import type { FastifyInstance } from 'fastify'
import { csp, NONE } from '../../../platform/http/csp.ts'
import { registerRoute } from '../../../platform/http/register-route.ts'
import * as calls from './contract.ts'
import * as templates from './reply-templates.ts'
import * as schemas from './schemas.ts'
import * as service from './service.ts'

/** Registers the console's calls about claims. */
export function claimsConsoleRoutes(app: FastifyInstance): void {
  registerRoute(app, calls.listClaimQueue, schemas.listClaimQueue, (ctx, { query }) =>
    service.listClaimQueue(ctx, query),
  )
  registerRoute(app, calls.getClaim, schemas.getClaim, (ctx, { params }) => service.getClaim(ctx, params.id))
  registerRoute(app, calls.decideClaim, schemas.decideClaim, (ctx, { params, body }) =>
    service.decideClaim(ctx, params.id, body),
  )
  registerRoute(app, calls.setClaimOwner, schemas.setClaimOwner, (ctx, { params, body }) =>
    service.setClaimOwner(ctx, params.id, body.owner),
  )
  registerRoute(app, calls.listReplyTemplates, schemas.listReplyTemplates, (ctx) => templates.listReplyTemplates(ctx))
  registerRoute(app, calls.saveReplyTemplate, schemas.saveReplyTemplate, (ctx, { body }) =>
    templates.saveReplyTemplate(ctx, body),
  )
  registerRoute(app, calls.deleteReplyTemplate, schemas.deleteReplyTemplate, (ctx, { params }) =>
    templates.deleteReplyTemplate(ctx, params.id),
  )
  registerRoute(app, calls.getClaimReceipt, schemas.getClaimReceipt, async (ctx, { params }, { reply }) => {
    const { type, bytes } = await service.getReceipt(ctx, params.id)
    // Uploaded files are untrusted: an image shows in the page, and opened by itself it is a download.
    return reply
      .header('content-disposition', 'attachment; filename="receipt"')
      .header('content-security-policy', csp({ 'default-src': NONE, sandbox: true }))
      .type(type)
      .send(bytes)
  })
}
