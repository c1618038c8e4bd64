import { randomUUID } from 'node:crypto'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import { RETRY_AFTER_SECONDS } from '../database/database-unavailable.ts'
import { runForClient } from '../database/fair-pool.ts'
import { SECOND } from '../time.ts'
import { guardReply, type Recipient } from './caching.ts'
import { parseLongJsonInTurn, type WaitForTurn } from './long-bodies.ts'
import { encodeRedirects, rejectMalformedTargets, statusOf } from './request-boundary.ts'
import { denyRobots } from './robots.ts'

export interface HttpAppError extends Error {
  statusCode?: number
  code?: string
}

export interface HttpAppOptions {
  /** Names the host in log lines. */
  host: string
  /** Null logs nothing. */
  logger: Logger | null
  /** Public scheme. With `https`, the Strict-Transport-Security header is sent. */
  scheme: 'http' | 'https'
  /** Proxies whose X-Forwarded-For is used. */
  trustedProxy?: string | undefined
  /** Maximum size of a body in bytes. */
  bodyLimit?: number
  /** Parser of query strings; by default a repeated name is an array. */
  parseQuery?: (text: string) => Record<string, unknown>
  referrerPolicy: 'no-referrer' | 'same-origin' | 'strict-origin-when-cross-origin'
  /** `denied`: no response may be framed. `by-policy`: each page's own policy says who may frame it. */
  framing: 'denied' | 'by-policy'
  /** The host has pages for search engines and its own robots.txt; by default they must not read it. */
  hasOwnRobots?: boolean
  /** Returns whom a response is computed for; by default anyone, which is right for hosts without sessions. */
  recipientOf?: (request: FastifyRequest) => Recipient
  /** Time until a request ends with 503, or with 408 while its body arrives (milliseconds); 8 s by default. */
  requestTimeoutMs?: number
  /** Timeouts of an app that listens by itself (milliseconds). */
  timeouts?: Pick<FastifyServerOptions, 'requestTimeout' | 'keepAliveTimeout'>
  /** Waits for the turn of a client before a long body is parsed; by default not at all. */
  waitForTurn?: WaitForTurn
  /** Returns the fields of a log line about a failure; by default all of the error. */
  describeFailure?: (error: HttpAppError, request: FastifyRequest) => object
  /** Sends the body of an error response; its status is set. The request may have passed no hook. */
  sendError: (reply: FastifyReply, failure: { error: HttpAppError; status: number }, request: FastifyRequest) => unknown
}

/**
 * Creates the Fastify instance of a host, without routes: limits, request ids, security headers, error responses, and
 * which responses a cache may store. All hosts are created here, so that none lacks a limit or a header.
 */
export async function createHttpApp(options: HttpAppOptions): Promise<FastifyInstance> {
  const security = securityHeaders(options)
  const respondToError = errorHandler(options)
  const { recipientOf = () => 'anyone' } = options
  const app = Fastify({
    ...(options.logger ? { loggerInstance: options.logger.child({ host: options.host }) } : { logger: false }),
    logController: new LogController({ disableRequestLogging: true }),
    // Only needs to be unique: this is several times faster than an unguessable id.
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    bodyLimit: options.bodyLimit ?? 64 * 1024,
    handlerTimeout: options.requestTimeoutMs ?? 8 * SECOND,
    trustProxy: options.trustedProxy ?? false,
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    routerOptions: {
      caseSensitive: true,
      ignoreTrailingSlash: false,
      maxParamLength: 200,
      ...(options.parseQuery && { querystringParser: options.parseQuery }),
    },
    ...options.timeouts,
    // The router rejects some requests before any hook.
    frameworkErrors: (error, request, reply) => {
      guardReply(request, reply, recipientOf)
      void respondToError(error, request, reply.headers(security))
    },
  }) as unknown as FastifyInstance
  // A cross-site form can send text/plain without a CORS preflight.
  app.removeContentTypeParser('text/plain')
  app.decorate('waitForTurn', options.waitForTurn ?? (async () => {}))
  parseLongJsonInTurn(app)
  // Its database connections are those of its client's share. The second hook is for what follows a body, which arrives
  // outside of what the first one has started.
  app.addHook('onRequest', (request, _reply, done) => runForClient(request.ip, done))
  app.addHook('preValidation', (request, _reply, done) => runForClient(request.ip, done))
  app.addHook('onRequest', async (request, reply) => {
    guardReply(request, reply, recipientOf)
    reply.headers(security)
  })
  rejectMalformedTargets(app)
  encodeRedirects(app)
  if (!options.hasOwnRobots) denyRobots(app)
  app.setErrorHandler(respondToError)
  return app
}

function securityHeaders({ scheme, referrerPolicy, framing }: HttpAppOptions): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': referrerPolicy,
    ...(framing === 'denied' && { 'x-frame-options': 'DENY' }),
    ...(scheme === 'https' && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
  }
}

function errorHandler({ sendError, describeFailure }: HttpAppOptions) {
  return (error: HttpAppError, request: FastifyRequest, reply: FastifyReply) => {
    const status = statusOf(error, request)
    const route = request.routeOptions?.url
    if (error.code === 'FST_ERR_HANDLER_TIMEOUT' && status === 503) request.log.error({ route }, 'timed out')
    else if (status >= 500) request.log.error(describeFailure?.(error, request) ?? { err: error, route }, 'failed')
    if (status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS)
    // The rest of a body that arrives too slowly is not awaited.
    if (status === 408) reply.header('connection', 'close')
    return sendError(reply.code(status), { error, status }, request)
  }
}
