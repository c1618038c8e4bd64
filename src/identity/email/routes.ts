import type { FastifyInstance } from 'fastify'
import { csp, NONE, SELF, UNSAFE_INLINE } from '../../platform/http/csp.ts'
import { registerRoute } from '../../platform/http/register-route.ts'
import { listOutbox } from './contract.ts'
import * as schemas from './schemas.ts'
import { listOutboxEmails } from './service.ts'

/** The outbox shows every email to anyone: a staging tool, never registered in production. */
export function outboxRoutes(app: FastifyInstance): void {
  registerRoute(app, listOutbox, schemas.listOutbox, async (ctx) => ({ mails: await listOutboxEmails(ctx) }))

  // A separate document: emails contain inline styles, which pages forbid.
  app.get<{ Params: { id: string } }>('/api/staging/outbox/:id', async ({ ctx, params }, reply) => {
    const email = (await listOutboxEmails(ctx)).find(({ id }) => String(id) === params.id)
    if (!email) return reply.callNotFound()
    return reply
      .header('content-security-policy', csp({ 'default-src': NONE, 'style-src': UNSAFE_INLINE, 'img-src': SELF }))
      .type('text/html; charset=utf-8')
      .send(email.html)
  })
}
