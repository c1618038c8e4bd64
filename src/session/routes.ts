import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../kit/refusal.ts'
import { audit } from '../kit/server/audit.ts'
import type { Ctx } from '../kit/server/context.ts'
import { inTransaction } from '../kit/server/db.ts'
import { serve } from '../kit/server/serve.ts'
import { memberRow } from '../members/service.ts'
import { getCsrf, signIn, signOut } from './contract.ts'
import { type CookieRules, clearSession, sendSession } from './cookies.ts'
import { checkCredentials, endSession, openSession, rotateSession } from './service.ts'

export interface SessionParts {
  cookies: CookieRules
  /** Keys the hash of what was typed as a user name. */
  lockKey: Buffer
}

export function sessionRoutes(app: FastifyInstance, { cookies, lockKey }: SessionParts): void {
  serve(app, getCsrf, async (ctx, _input, { reply }) => {
    reply.header('cache-control', 'no-store')
    if (ctx.actor.csrfToken) return { csrfToken: ctx.actor.csrfToken }
    const session = await openSession(ctx.db, { memberId: null, remembered: false })
    sendSession(reply, { ...session, signedIn: false }, cookies)
    return { csrfToken: session.csrfToken }
  })

  serve(app, signIn, async (ctx, { body }, { reply }) => {
    if (ctx.program.config.enrollmentType !== 'direct') throw new Refusal('notOffered')
    const memberId = await checkCredentials(ctx, { ...body, lockKey })
    const session = await inTransaction(ctx.db, async (tx) => {
      await audit(tx, ctx, { action: 'session.signed-in', memberId })
      return rotateSession(tx, ctx, { memberId, remembered: body.rememberMe })
    })
    const member = await memberRow(ctx.db, memberId)
    if (!member) throw new Error('a member who signed in is not there')
    sendSession(reply, { ...session, signedIn: true }, cookies)
    return { publicId: member.public_id, memberType: member.member_type, csrfToken: session.csrfToken }
  })

  serve(app, signOut, async (ctx, _input, { request, reply }) => {
    if (isCrossSite(request)) throw new Refusal('crossSite')
    await leave(ctx, reply, cookies)
    return { signedOut: true as const }
  })

  // Another site may link here, but cannot sign anybody out by it.
  app.get('/SignOut', async (request, reply) => {
    if (!isCrossSite(request)) await leave(request.ctx, reply, cookies)
    return reply.header('cache-control', 'no-store').redirect('/', 303)
  })
}

/** Ends the session and takes the cookies away. */
export async function leave(ctx: Ctx, reply: FastifyReply, cookies: CookieRules): Promise<void> {
  await endSession(ctx)
  clearSession(reply, cookies)
}

/** Whether another site's page caused this request: such a page must not be able to sign a member out. */
export function isCrossSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (typeof site === 'string') return site === 'cross-site' || site === 'same-site'
  const origin = request.headers.origin
  return typeof origin === 'string' && new URL(origin).host !== request.headers.host
}
