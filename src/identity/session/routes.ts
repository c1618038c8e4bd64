import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { inTransaction } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { serve } from '../../platform/http/serve.ts'
import { Refusal } from '../../platform/refusal.ts'
import { secretToken } from '../../platform/security/ids.ts'
import type { Gate } from '../bot-check/service.ts'
import { memberRow } from '../members/service.ts'
import * as calls from './contract.ts'
import { type CookieRules, clearSession, readDevice, sendDevice, sendSession, sendSignedOut } from './cookies.ts'
import { endOthers, endOwn, listSessions } from './own-sessions.ts'
import { signedOutOf } from './rules.ts'
import { checkCredentials, endSession, openSession, proveAgain, signInAs } from './service.ts'
import { signedIn } from './signed-in.ts'
import { tellNewDevice } from './tell-new-device.ts'

export interface SessionParts {
  cookies: CookieRules
  gate: Gate
  /** Key of the hash of the typed user name. */
  lockKey: Buffer
  /** The origin of a program's pages, for links in emails. */
  origin: (partnerId: string) => string
  /** Ends what other modules attach to a session, and returns where signing out continues. */
  onLeave: (ctx: Ctx, reply: FastifyReply) => Promise<URL | null>
}

export function sessionRoutes(app: FastifyInstance, parts: SessionParts): void {
  const { cookies, gate, lockKey, origin } = parts
  serve(app, calls.getCsrf, async (ctx, _input, { reply }) => {
    reply.header('cache-control', 'no-store')
    if (ctx.actor.csrfToken) return { csrfToken: ctx.actor.csrfToken }
    const session = await openSession(ctx.db)
    sendSession(reply, { ...session, signedIn: false }, cookies)
    return { csrfToken: session.csrfToken }
  })

  serve(app, calls.signIn, async (ctx, { body }, { request, reply }) => {
    if (ctx.program.config.enrollmentType !== 'direct') throw new Refusal('notOffered')
    const known = readDevice(request, cookies)
    const device = known ?? secretToken()
    const { memberId, session } = await gate.admit(ctx, body.gRecaptchaResponse, async () => {
      const found = await checkCredentials(ctx, { ...body, lockKey, ...(known && { device: known }) })
      const signing = { memberId: found, remembered: body.rememberMe, beganWith: 'password', device } as const
      const session = await inTransaction(ctx.db, async (tx) => {
        await tellNewDevice(tx, ctx, { memberId: found, device, origin: origin(ctx.partnerId) })
        return signInAs(tx, ctx, signing)
      })
      return { memberId: found, session }
    })
    sendSession(reply, { ...session, signedIn: true }, cookies)
    sendDevice(reply, device, cookies)
    return signedIn(await memberRow(ctx.db, memberId), session.csrfToken)
  })

  serve(app, calls.listSessions, (ctx) => listSessions(ctx))
  serve(app, calls.endOwnSession, async (ctx, { query }) => {
    await (query.id === undefined ? endOthers(ctx) : endOwn(ctx, query.id))
    return true as const
  })
  serve(app, calls.prove, async (ctx, { body }) => {
    await proveAgain(ctx, body.password, lockKey)
    return { proven: true as const }
  })

  serve(app, calls.signOut, async (ctx, _input, { request, reply }) => {
    if (isCrossSite(request)) throw new Refusal('crossSite')
    await leave(ctx, reply, parts)
    return { signedOut: true as const }
  })

  // Other sites may link here, but cannot sign a member out.
  app.get('/SignOut', async (request, reply) => {
    if (isCrossSite(request)) return reply.header('cache-control', 'no-store').redirect('/', 303)
    const { operator } = request.ctx.actor
    const next = await leave(request.ctx, reply, parts)
    const { reason, from } = request.query as { reason?: unknown; from?: unknown }
    if (!operator) sendSignedOut(reply, signedOutOf(reason, from), cookies)
    return reply.header('cache-control', 'no-store').redirect(next?.href ?? '/', 303)
  })
}

/** Ends the session and removes the cookies. Returns the address to continue at, or null for the home page. */
async function leave(ctx: Ctx, reply: FastifyReply, { cookies, onLeave }: SessionParts): Promise<URL | null> {
  const next = await onLeave(ctx, reply)
  // An impersonating operator has no member session to end, and keeps the operator session.
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
