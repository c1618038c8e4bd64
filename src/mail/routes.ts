import type { FastifyInstance } from 'fastify'
import { serve } from '../kit/server/serve.ts'
import { listOutbox } from './contract.ts'
import { readOutbox } from './service.ts'

/** The outbox shows every mail to anybody who asks: a staging tool, never registered in production. */
export function outboxRoutes(app: FastifyInstance): void {
  serve(app, listOutbox, async (ctx) => ({ mails: await readOutbox(ctx) }))
}
