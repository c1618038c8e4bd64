import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { readImpersonationId } from '../../identity/impersonation/cookies.ts'
import { operatorMayCall, recordOperatorCall, resumeImpersonation } from '../../identity/impersonation/service.ts'
import { type CookieRules, clearSession, readSessionId, sendSession } from '../../identity/session/cookies.ts'
import { continueSession } from '../../identity/session/service.ts'
import { programVersionHeader } from '../../platform/call.ts'
import { databaseUnavailable, isDatabaseUnavailable } from '../../platform/database/database-unavailable.ts'
import { anonymousActor, type Ctx } from '../../platform/http/context.ts'
import { createHttpApp, type HttpAppError } from '../../platform/http/create-http-app.ts'
import type { WaitForTurn } from '../../platform/http/long-bodies.ts'
import { problem } from '../../platform/http/problem.ts'
import { limitRates } from '../../platform/http/rate-limit.ts'
import { cookieOptions } from '../../platform/http/request-boundary.ts'
import { programVersion } from '../../programs/content/program-version.ts'
import type { Program } from '../../programs/partners/context.ts'
import { isClosedForMaintenance } from '../../programs/partners/rules.ts'
import { createPartnerContext, type PartnerContextDeps } from './partner-context.ts'
import { recipientOf } from './recipient.ts'

export interface PartnerAppDeps extends PartnerContextDeps {
  /** Returns whether a program shows its unpublished content to everybody. */
  showsDrafts: (partnerId: string) => boolean
  /** Returns whether a request has an editor's pass for unpublished content. */
  hasPreviewPass: (request: FastifyRequest, program: Program) => boolean | Promise<boolean>
  /** Returns the partner code of the Host header; unknown hosts were rejected before. */
  partnerOf: (request: FastifyRequest) => string
  cookies: CookieRules
  trustedProxy: string | undefined
  requestTimeoutMs: number
  waitForTurn: WaitForTurn
  logger: Logger
}

/** Creates the Fastify instance behind every partner host: context, session, limits and errors, without routes. */
export async function createPartnerApp(deps: PartnerAppDeps): Promise<FastifyInstance> {
  const app = await createHttpApp({
    host: 'partner',
    logger: deps.logger,
    scheme: deps.cookies.scheme,
    trustedProxy: deps.trustedProxy,
    requestTimeoutMs: deps.requestTimeoutMs,
    waitForTurn: deps.waitForTurn,
    referrerPolicy: 'strict-origin-when-cross-origin',
    // The console frames pages during impersonation.
    framing: 'by-policy',
    hasOwnRobots: true,
    recipientOf,
    sendError: sendErrorResponse,
  })
  app.decorate('calls', [])
  app.decorate('runCalls', new Map())
  app.decorate('operatorMay', operatorMayCall)
  app.decorate('isClosed', isClosedForMaintenance)
  app.decorate('recordOperatorCall', recordOperatorCall)
  app.decorateRequest('ctx', null as unknown as Ctx)
  await app.register(cookie, cookieOptions)
  // Brotli level 4 compresses about as well as gzip's best and is several times faster.
  await app.register(compress, {
    encodings: ['br', 'gzip'],
    threshold: 1024,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  })
  await limitRates(app, {
    prefix: (request) => `${deps.partnerOf(request)}:`,
    message: (request) => request.ctx.t('errors.too_many'),
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    request.ctx = await createRequestContext(deps, request)
    await resolveSession(deps, request, (session) => {
      if (session) sendSession(reply, session, deps.cookies)
      // Calls and images run in parallel: one sent before a sign-in would delete its session.
      else if (isNavigation(request)) clearSession(reply, deps.cookies)
    })
  })
  app.addHook('onSend', async (request, reply) => {
    if (request.ctx && request.url.startsWith('/api/')) reply.header(programVersionHeader, programVersion(request.ctx))
  })
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        partner: request.ctx?.partnerId ?? 'none',
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'response sent',
    )
  })
  return app
}

/** Sends the problem document of an error; `title` is empty when the request has no context. */
function sendErrorResponse(
  reply: FastifyReply,
  { error, status }: { error: HttpAppError; status: number },
  request: FastifyRequest,
): FastifyReply {
  const t = (key: string) => request.ctx?.t(key) ?? ''
  if (status === 429) return problem(reply, 429, 'tooMany', t('errors.too_many'))
  if (status === 408) return problem(reply, 408, 'tooSlow', t('errors.general'))
  if (status < 500) return problem(reply, status, clientCode(error, status), t('errors.general'))
  if (isDatabaseUnavailable(error)) return problem(reply, 503, databaseUnavailable, t('errors.general'))
  if (status === 503) return problem(reply, 503, 'busy', t('errors.busy'))
  return problem(reply, 500, 'serverError', t('errors.general'))
}

function isNavigation({ headers }: FastifyRequest): boolean {
  return headers.accept?.startsWith('text/html') === true
}

function clientCode(error: { code?: string }, status: number): string {
  if (status === 413) return 'tooLarge'
  if (status === 415) return 'notJson'
  return error.code?.startsWith('FST_') || error.code === undefined ? 'badRequest' : error.code
}

async function createRequestContext(deps: PartnerAppDeps, request: FastifyRequest): Promise<Ctx> {
  const partnerId = deps.partnerOf(request)
  const showsDrafts = deps.showsDrafts(partnerId)
  const hasPreviewPass = !showsDrafts && (await deps.hasPreviewPass(request, deps.programs.get(partnerId) as Program))
  const mayPreview = showsDrafts || hasPreviewPass
  const { id: requestId, ip: address, log } = request
  const userAgent = request.headers['user-agent'] ?? ''
  return createPartnerContext(deps, partnerId, { requestId, address, userAgent, log, mayPreview, hasPreviewPass })
}

type Refresh = (session: { id?: string; expiresAt: Date; remembered: boolean; signedIn: boolean } | null) => void

async function resolveSession(deps: PartnerAppDeps, request: FastifyRequest, refresh: Refresh): Promise<void> {
  // A frame of the console ignores the member session of the browser.
  const impersonationId = readImpersonationId(request, deps.cookies)
  if (impersonationId !== undefined) {
    request.ctx.actor = (await resumeImpersonation(request.ctx, impersonationId)) ?? anonymousActor
    return
  }
  const id = readSessionId(request, deps.cookies)
  if (id === undefined) return
  const session = await continueSession(request.ctx, id, { mayRenew: isNavigation(request) })
  if (!session) return refresh(null)
  const { memberId, idHash: sessionId, csrfToken } = session
  request.ctx.actor = { memberId, sessionId, csrfToken, operator: null }
  if (session.memberId !== null) refresh({ ...session, signedIn: true })
}
