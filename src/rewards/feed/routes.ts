import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { holdsCardNumber } from '../../platform/card-numbers.ts'
import { RETRY_AFTER_SECONDS } from '../../platform/database/database-unavailable.ts'
import { ApiError } from '../../platform/errors.ts'
import { problem } from '../../platform/http/problem.ts'
import { registerRoute } from '../../platform/http/register-route.ts'
import {
  findSignatureError,
  registerRawBodyParser,
  type SignedWebhook,
} from '../../platform/security/webhook-signature.ts'
import { unstorablePath } from '../../platform/text.ts'
import { MINUTE } from '../../platform/time.ts'
import { feedPaths, receiveFeedBatch, receiveFeedEvent } from './contract.ts'
import { feedKey } from './feed-key.ts'
import { fidelPath } from './fidel/contract.ts'
import { fidelRoutes } from './fidel/routes.ts'
import { isFromTheFuture } from './future-dates.ts'
import { createIntake, type Intake } from './intake.ts'
import { receiveBatch } from './receive-batch.ts'
import * as schemas from './schemas.ts'

export interface FeedDeps extends Omit<SignedWebhook, 'keys'> {
  feedSecret: string
  intake?: Intake
}

const batchLimit = 2 * 1024 * 1024

/**
 * Routes of the card network. The signature covers the raw bytes, so bodies stay bytes until it is verified; an
 * unsigned body is not even parsed.
 */
export async function feedRoutes(app: FastifyInstance, deps: FeedDeps): Promise<void> {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  registerRawBodyParser(app, 'application/json')
  registerRawBodyParser(app, 'application/x-ndjson', batchLimit)
  app.addHook('onRoute', (route) => {
    if (route.url === feedPaths.batch) route.handlerTimeout = MINUTE
  })
  app.addHook('preHandler', async (request, reply) => {
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const fault = findSignatureError(request, bytes, {
      ...deps,
      keys: (incoming) => signingKeys(incoming, deps.feedSecret),
    })
    if (fault) return rejectMessage(request, reply, 401, fault)
    if (request.routeOptions.url === feedPaths.batch) {
      request.body = bytes.toString('utf8')
      return
    }
    try {
      request.body = await parsed(parseJson, request, bytes.toString('utf8'))
    } catch {
      return rejectMessage(request, reply, 400, 'notJson')
    }
    if (unstorablePath(request.body) !== null) return rejectMessage(request, reply, 400, 'notJson')
    if (holdsCardNumber(request.body)) return rejectMessage(request, reply, 400, 'cardNumber')
  })

  const { intake = createIntake({ log: app.log }) } = deps
  registerRoute(app, receiveFeedEvent, schemas.receiveFeedEvent, async (ctx, { body }) => {
    if (isFromTheFuture(body, ctx.now())) throw new ApiError('futureDate')
    return { outcome: await intake.receive(ctx, body) }
  })

  fidelRoutes(app, intake)
  registerRoute(app, receiveFeedBatch, schemas.receiveFeedBatch, async (ctx, { body }, { request, reply }) => {
    const results = await receiveBatch(ctx, body, {
      parse: (line) => parsed(parseJson, request, line),
      receive: (event) => intake.receive(ctx, event),
    })
    if (results.some(({ status }) => status === 503)) reply.header('retry-after', RETRY_AFTER_SECONDS)
    return { results }
  })
}

/** Fidel signs with keys that it chose, all other networks with the key that we issued. */
function signingKeys({ ctx, routeOptions }: FastifyRequest, feedSecret: string): readonly string[] {
  if (routeOptions.url === fidelPath) return ctx.program.config.fidel?.secretKeys ?? []
  return [feedKey(feedSecret, ctx.partnerId)]
}

function rejectMessage(request: FastifyRequest, reply: FastifyReply, status: number, code: string): FastifyReply {
  request.log.warn({ partner: request.ctx.partnerId, code }, 'feed: message rejected')
  return problem(reply, status, code, request.ctx.t(`error.${code}`))
}

type JsonParser = ReturnType<FastifyInstance['getDefaultJsonParser']>

function parsed(parse: JsonParser, request: FastifyRequest, text: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    // An empty text is not JSON; the parser alone would accept it as an absent body.
    if (text === '') reject(new SyntaxError('empty'))
    parse(request, text, (error, value) => (error ? reject(error) : resolve(value)))
  })
}
