import type { FastifyInstance } from 'fastify'
import { problem } from '../../platform/http/problem.ts'
import { registerRoute } from '../../platform/http/register-route.ts'
import {
  findSignatureError,
  registerRawBodyParser,
  type SignedWebhook,
} from '../../platform/security/webhook-signature.ts'
import { getReviewStatus, receiveReview } from './contract.ts'
import * as schemas from './schemas.ts'
import * as reviews from './service.ts'

export async function reviewRoutes(app: FastifyInstance, webhook: SignedWebhook): Promise<void> {
  registerRoute(app, getReviewStatus, schemas.getReviewStatus, (ctx, { query }) =>
    reviews.listReviewStatuses(ctx, query.txnId),
  )
  await app.register(async (signed) => callbackRoutes(signed, webhook))
}

/** Registers the callback of the form service. An unsigned body is not even parsed. */
function callbackRoutes(app: FastifyInstance, webhook: SignedWebhook): void {
  app.removeAllContentTypeParsers()
  registerRawBodyParser(app, 'application/json')
  app.addHook('preHandler', async (request, reply) => {
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const fault = findSignatureError(request, bytes, webhook)
    if (fault) return problem(reply, 401, fault, request.ctx.t(`error.${fault}`))
    try {
      request.body = JSON.parse(bytes.toString('utf8'))
    } catch {
      return problem(reply, 400, 'notJson', request.ctx.t('error.notJson'))
    }
  })
  registerRoute(app, receiveReview, schemas.receiveReview, async (ctx, { body }) => ({
    outcome: await reviews.receiveReview(ctx, body),
  }))
}
