import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { problem } from '../../platform/http/problem.ts'
import { serve } from '../../platform/http/serve.ts'
import { Refusal } from '../../platform/refusal.ts'
import { keepBytes, type SignedDoor, signatureFault } from '../../platform/security/signed.ts'
import { unstorablePath } from '../../platform/text.ts'
import { MINUTE } from '../../platform/time.ts'
import { holdsCardNumber } from './card-numbers.ts'
import { feedPaths, receiveFeedBatch, receiveFeedEvent } from './contract.ts'
import { feedKey } from './feed-key.ts'
import { fidelPath } from './fidel/contract.ts'
import { fidelRoutes } from './fidel/routes.ts'
import { isFromTheFuture } from './future-dates.ts'
import { createIntake } from './intake.ts'
import { receiveBatch } from './receive-batch.ts'

export interface FeedParts extends Omit<SignedDoor, 'keys'> {
  feedSecret: string
}

const batchLimit = 2 * 1024 * 1024

/**
 * Routes of the card network. The signature covers the raw bytes, so bodies stay bytes until it is verified; an
 * unsigned body is not even parsed.
 */
export async function feedRoutes(app: FastifyInstance, parts: FeedParts): Promise<void> {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  keepBytes(app, 'application/json')
  keepBytes(app, 'application/x-ndjson', batchLimit)
  app.addHook('onRoute', (route) => {
    if (route.url === feedPaths.batch) route.handlerTimeout = MINUTE
  })
  app.addHook('preHandler', async (request, reply) => {
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const fault = signatureFault(request, bytes, { ...parts, keys: (asked) => keysOf(asked, parts.feedSecret) })
    if (fault) return refuse(request, reply, 401, fault)
    if (request.routeOptions.url === feedPaths.batch) {
      request.body = bytes.toString('utf8')
      return
    }
    try {
      request.body = await parsed(parseJson, request, bytes.toString('utf8'))
    } catch {
      return refuse(request, reply, 400, 'notJson')
    }
    if (unstorablePath(request.body) !== null) return refuse(request, reply, 400, 'notJson')
    if (holdsCardNumber(request.body)) return refuse(request, reply, 400, 'cardNumber')
  })

  const intake = createIntake()
  serve(app, receiveFeedEvent, async (ctx, { body }) => {
    if (isFromTheFuture(body, ctx.now())) throw new Refusal('futureDate')
    return { outcome: await intake.receive(ctx, body) }
  })

  fidelRoutes(app, intake)
  serve(app, receiveFeedBatch, async (ctx, { body }, { request }) => ({
    results: await receiveBatch(ctx, body, {
      parse: (line) => parsed(parseJson, request, line),
      receive: (event) => intake.receive(ctx, event),
    }),
  }))
}

/** Fidel signs with keys that it chose, all other networks with the key that we issued. */
function keysOf({ ctx, routeOptions }: FastifyRequest, feedSecret: string): readonly string[] {
  if (routeOptions.url === fidelPath) return ctx.program.config.fidel?.secretKeys ?? []
  return [feedKey(feedSecret, ctx.partnerId)]
}

function refuse(request: FastifyRequest, reply: FastifyReply, status: number, code: string): FastifyReply {
  request.log.warn({ partner: request.ctx.partnerId, code }, 'feed: message refused')
  return problem(reply, status, code, request.ctx.word(`refusal.${code}`))
}

type JsonParser = ReturnType<FastifyInstance['getDefaultJsonParser']>

function parsed(parse: JsonParser, request: FastifyRequest, text: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    // An empty text is not JSON; the parser alone would accept it as an absent body.
    if (text === '') reject(new SyntaxError('empty'))
    parse(request, text, (error, value) => (error ? reject(error) : resolve(value)))
  })
}
