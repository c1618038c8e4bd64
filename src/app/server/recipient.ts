import type { FastifyRequest } from 'fastify'
import type { Recipient } from '../../platform/http/caching.ts'

/** Returns whom the response to a request is computed for. A request without context was rejected before. */
export function recipientOf({ ctx }: Pick<FastifyRequest, 'ctx'>): Recipient {
  if (!ctx) return 'anyone'
  if (ctx.actor.memberId !== null || ctx.actor.operator !== null || ctx.hasPreviewPass) return 'person'
  return ctx.actor.sessionId === null ? 'anyone' : 'session'
}
