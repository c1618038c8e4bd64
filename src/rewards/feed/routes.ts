import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../kit/refusal.ts'
import type { Ctx } from '../../kit/server/context.ts'
import { problem } from '../../kit/server/problem.ts'
import { serve } from '../../kit/server/serve.ts'
import { MINUTE } from '../../kit/time.ts'
import { holdsCardNumber } from './card-numbers.ts'
import { type FeedEvent, feedPaths, receiveFeedBatch, receiveFeedEvent } from './contract.ts'
import { receiveBatch } from './receive-batch.ts'
import { receiveTransaction } from './receive-transaction.ts'
import { type CheckSignature, checkSignature, feedKey } from './sign.ts'

export interface FeedParts {
  feedSecret: string
  /** The public origin of a partner: what the network was given as the address to call. */
  origin: (partnerId: string) => string
  /** For tests: another check, another clock. */
  check?: CheckSignature
  clock?: () => number
}

const batchLimit = 2 * 1024 * 1024

/**
 * The door of the card network. The signature is over the bytes as they came, so bodies stay bytes here until it
 * was checked; nothing of an unsigned body is even parsed.
 */
export async function feedRoutes(app: FastifyInstance, parts: FeedParts): Promise<void> {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  const keepBytes = async (_request: FastifyRequest, bytes: Buffer) => bytes
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, keepBytes)
  app.addContentTypeParser('application/x-ndjson', { parseAs: 'buffer', bodyLimit: batchLimit }, keepBytes)
  app.addHook('onRoute', (route) => {
    if (route.url === feedPaths.batch) route.handlerTimeout = MINUTE
  })
  app.addHook('preHandler', async (request, reply) => {
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const fault = faultOf(request, bytes, parts)
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
    if (holdsCardNumber(request.body)) return refuse(request, reply, 400, 'cardNumber')
  })

  serve(app, receiveFeedEvent, async (ctx, { body }) => ({ outcome: await receiveEvent(ctx, body) }))

  serve(app, receiveFeedBatch, async (ctx, { body }, { request }) => ({
    results: await receiveBatch(ctx, body, {
      parse: (line) => parsed(parseJson, request, line),
      receive: (event) => receiveEvent(ctx, event),
    }),
  }))
}

/** Refusal `otherProgram`: the signature was right, but the network sent it to the wrong address. */
async function receiveEvent(ctx: Ctx, event: FeedEvent) {
  if (event.transaction.programId !== ctx.partnerId) throw new Refusal('otherProgram')
  return receiveTransaction(ctx, event)
}

function faultOf(request: FastifyRequest, body: Buffer, { feedSecret, origin, check, clock }: FeedParts) {
  const signature = headerOf(request, 'signature')
  const timestamp = headerOf(request, 'timestamp')
  if (signature === undefined || timestamp === undefined) return 'badSignature'
  const { partnerId } = request.ctx
  const url = origin(partnerId) + request.url
  const now = (clock ?? Date.now)()
  return (check ?? checkSignature)(feedKey(feedSecret, partnerId), { body, url, timestamp, signature, now })
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[`x-dineback-${name}`] ?? headers[`x-fidel-${name}`]
  return typeof value === 'string' ? value : undefined
}

function refuse(request: FastifyRequest, reply: FastifyReply, status: number, code: string): FastifyReply {
  request.log.warn({ partner: request.ctx.partnerId, code }, 'feed: message refused')
  return problem(reply, status, code, request.ctx.word(`refusal.${code}`))
}

type JsonParser = ReturnType<FastifyInstance['getDefaultJsonParser']>

function parsed(parse: JsonParser, request: FastifyRequest, text: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    // An empty text is no JSON either; the parser alone would take it as nothing sent.
    if (text === '') reject(new SyntaxError('empty'))
    parse(request, text, (error, value) => (error ? reject(error) : resolve(value)))
  })
}
