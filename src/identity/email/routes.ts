import type { FastifyInstance } from 'fastify'
import { serve } from '../../platform/http/serve.ts'
import { listOutbox } from './contract.ts'
import { readOutbox } from './service.ts'

/** The outbox shows every email to anyone: a staging tool, never registered in production. */
export function outboxRoutes(app: FastifyInstance): void {
  serve(app, listOutbox, async (ctx) => ({ mails: await readOutbox(ctx) }))

  // A separate document: emails contain inline styles, which pages forbid.
  app.get<{ Params: { id: string } }>('/api/staging/outbox/:id', async ({ ctx, params }, reply) => {
    const mail = (await readOutbox(ctx)).find(({ id }) => String(id) === params.id)
    if (!mail) return reply.callNotFound()
    return reply
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'")
      .type('text/html; charset=utf-8')
      .send(mail.html)
  })
}
