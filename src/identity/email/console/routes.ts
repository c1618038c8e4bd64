import type { FastifyInstance } from 'fastify'
import { csp, NONE, SELF, UNSAFE_INLINE } from '../../../platform/http/csp.ts'
import { registerRoute } from '../../../platform/http/register-route.ts'
import * as calls from './contract.ts'
import * as schemas from './schemas.ts'
import * as service from './service.ts'

/** An email runs nothing and loads nothing; only the console frames it. */
const emailPolicy = csp({
  'default-src': NONE,
  'style-src': UNSAFE_INLINE,
  'base-uri': NONE,
  'frame-ancestors': SELF,
  sandbox: true,
})

/** Registers the console's calls about emails. */
export function emailConsoleRoutes(app: FastifyInstance): void {
  registerRoute(app, calls.listEmails, schemas.listEmails, (ctx, { query }) => service.listEmails(ctx, query))
  registerRoute(app, calls.getEmail, schemas.getEmail, (ctx, { params }) => service.getEmail(ctx, params.id))
  registerRoute(app, calls.readEmailText, schemas.readEmailText, async (ctx, { params }) => ({
    text: (await service.readEmail(ctx, params.id)).text,
  }))
  registerRoute(app, calls.readEmailHtml, schemas.readEmailHtml, async (ctx, { params }, { reply }) => {
    const { html } = await service.readEmail(ctx, params.id)
    return reply
      .removeHeader('x-frame-options')
      .header('content-security-policy', emailPolicy)
      .type('text/html; charset=utf-8')
      .send(html)
  })
  registerRoute(app, calls.previewResend, schemas.previewResend, (ctx, { body }) =>
    service.previewResend(ctx, body.ids),
  )
  registerRoute(app, calls.resendEmails, schemas.resendEmails, (ctx, { body }) => service.resendEmails(ctx, body))
}
