import type { FastifyInstance } from 'fastify'
import { problem } from '../../platform/http/problem.ts'
import { serve } from '../../platform/http/serve.ts'
import { keepBytes, type SignedDoor, signatureFault } from '../../platform/security/signed.ts'
import { getReviewStatus, receiveReview } from './contract.ts'
import * as reviews from './service.ts'

export async function reviewRoutes(app: FastifyInstance, door: SignedDoor): Promise<void> {
  serve(app, getReviewStatus, (ctx, { query }) => reviews.reviewStatus(ctx, query.txnId))
  await app.register(async (signed) => callbackRoutes(signed, door))
}

/** Registers the callback of the form service. An unsigned body is not even parsed. */
function callbackRoutes(app: FastifyInstance, door: SignedDoor): void {
  app.removeAllContentTypeParsers()
  keepBytes(app, 'application/json')
  app.addHook('preHandler', async (request, reply) => {
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const fault = signatureFault(request, bytes, door)
    if (fault) return problem(reply, 401, fault, request.ctx.word(`refusal.${fault}`))
    try {
      request.body = JSON.parse(bytes.toString('utf8'))
    } catch {
      return problem(reply, 400, 'notJson', request.ctx.word('refusal.notJson'))
    }
  })
  serve(app, receiveReview, async (ctx, { body }) => ({ outcome: await reviews.receiveReview(ctx, body) }))
}
