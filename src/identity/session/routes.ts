import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { inTransaction } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { registerRoute } from '../../platform/http/register-route.ts'
import { secretToken } from '../../platform/security/ids.ts'
import type { BotCheck } from '../bot-check/service.ts'
import { findMemberRow } from '../members/service.ts'
import * as calls from './contract.ts'
import { type CookieRules, clearSession, readDevice, sendDevice, sendSession, sendSignedOut } from './cookies.ts'
import { type EndPendingAccess, endOthers, endOwn, listSessions } from './own-sessions.ts'
import * as schemas from './schemas.ts'
import { notifyNewDevice } from './security-email.ts'
import { checkCredentials, endSession, openSession, passwordProblems, reauthenticate, signInAs } from './service.ts'
import { signedIn } from './signed-in.ts'
import { parseSignedOut } from './signed-out.ts'

export interface SessionDeps {
  cookies: CookieRules
  botCheck: BotCheck
  /** Key of the hash of the typed user name. */
  lockKey: Buffer
  /** The origin of a program's pages, for links in emails. */
  origin: (partnerId: string) => string
  endPending: EndPendingAccess
  /** Ends what other modules attach to a session, and returns where signing out continues. */
  onLeave: (ctx: Ctx, reply: FastifyReply) => Promise<URL | null>
}

export function sessionRoutes(app: FastifyInstance, deps: SessionDeps): void {
  const { cookies, botCheck, lockKey, origin, endPending } = deps
  registerRoute(app, calls.getCsrf, schemas.getCsrf, async (ctx, _input, { reply }) => {
    reply.header('cache-control', 'no-store')
    if (ctx.actor.csrfToken) return { csrfToken: ctx.actor.csrfToken }
    const session = await openSession(ctx.db)
    sendSession(reply, { ...session, signedIn: false }, cookies)
    return { csrfToken: session.csrfToken }
  })

  registerRoute(app, calls.signIn, schemas.signIn, async (ctx, { body }, { request, reply }) => {
    if (ctx.program.config.enrollmentType !== 'direct') throw new ApiError('notOffered')
    const known = readDevice(request, cookies)
    const device = known ?? secretToken()
    const { memberId, session } = await botCheck.guard(ctx, body.gRecaptchaResponse, async () => {
      const found = await checkCredentials(ctx, { ...body, lockKey, ...(known && { device: known }) })
      const signing = { ...found, remembered: body.rememberMe, beganWith: 'password', device } as const
      const session = await inTransaction(ctx.db, async (tx) => {
        await notifyNewDevice(tx, ctx, { memberId: found.memberId, device, origin: origin(ctx.partnerId) })
        return signInAs(tx, ctx, signing)
      })
      return { memberId: found.memberId, session }
    })
    sendSession(reply, { ...session, signedIn: true }, cookies)
    sendDevice(reply, device, cookies)
    return signedIn(await findMemberRow(ctx.db, memberId), session.csrfToken)
  })

  registerRoute(app, calls.checkNewPassword, schemas.checkNewPassword, (ctx, { body }) => {
    const { enrollmentType, name, programName } = ctx.program.config
    if (enrollmentType !== 'direct') throw new ApiError('notOffered')
    const { password, firstName, lastName, email, partnerNumber } = body
    const [problem] = passwordProblems(password, {
      personal: [firstName, lastName, email, name, programName],
      partnerNumber,
    })
    return { problem: problem ? ctx.t(problem) : null }
  })

  registerRoute(app, calls.listSessions, schemas.listSessions, (ctx) => listSessions(ctx))
  registerRoute(app, calls.endOwnSession, schemas.endOwnSession, async (ctx, { query }) => {
    await (query.id === undefined
      ? endOthers(ctx, { origin: origin(ctx.partnerId), endPending })
      : endOwn(ctx, query.id))
    return true as const
  })
  registerRoute(app, calls.reauthenticate, schemas.reauthenticate, async (ctx, { body }) => {
    await reauthenticate(ctx, body.password, lockKey)
    return { proven: true as const }
  })

  registerRoute(app, calls.signOut, schemas.signOut, async (ctx, _input, { request, reply }) => {
    if (isCrossSite(request)) throw new ApiError('crossSite')
    await leave(ctx, reply, deps)
    return { signedOut: true as const }
  })

  // Other sites may link here, but cannot sign a member out.
  app.get('/SignOut', async (request, reply) => {
    if (isCrossSite(request)) return reply.header('cache-control', 'no-store').redirect('/', 303)
    const { operator } = request.ctx.actor
    const next = await leave(request.ctx, reply, deps)
    const { reason, from } = request.query as { reason?: unknown; from?: unknown }
    if (!operator) sendSignedOut(reply, parseSignedOut(reason, from), cookies)
    return reply.header('cache-control', 'no-store').redirect(next?.href ?? '/', 303)
  })
}

/** Ends the session and removes the cookies. Returns the address to continue at, or null for the home page. */
async function leave(ctx: Ctx, reply: FastifyReply, { cookies, onLeave }: SessionDeps): Promise<URL | null> {
  const next = await onLeave(ctx, reply)
  // An impersonating operator has no member session to end; the operator session continues.
  if (ctx.actor.operator) return next
  await endSession(ctx)
  clearSession(reply, cookies)
  return next
}

/** Returns true when a page of another site caused this request; such a page must not sign a member out. */
export function isCrossSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (typeof site === 'string') return site === 'cross-site' || site === 'same-site'
  const origin = request.headers.origin
  if (typeof origin !== 'string') return false
  // Sandboxed frames and some redirects send `null`, whose origin is unknown.
  return !URL.canParse(origin) || new URL(origin).host !== request.headers.host
}
