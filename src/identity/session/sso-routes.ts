import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ZodError } from 'zod'
import { inTransaction, violatedConstraint } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { parseForms } from '../../platform/http/form-body.ts'
import { findMemberRow, findOrCreateMemberByIdentity } from '../members/service.ts'
import { type CookieRules, sendSession, sendSignedIn } from './cookies.ts'
import { sendSecurityEmail } from './security-email.ts'
import { openSession, signInAs } from './service.ts'
import { endFromProvider } from './sso/back-channel.ts'
import type { SsoClients } from './sso/client.ts'
import { callbackPath } from './sso/client.ts'
import { finishSso, takeAttempt, takeTargetOfEnded } from './sso/finish.ts'
import { afterGivingUp, safeReturnPath, withReturn } from './sso/return-path.ts'
import { startSso } from './sso/start.ts'

export interface SsoDeps {
  cookies: CookieRules
  sso: SsoClients
  fetch: typeof fetch
  /** The origin of a program's pages, for links in emails. */
  origin: (partnerId: string) => string
}

/** Redirect target of a failed sign-in: a page that explains it and offers to retry. */
const failedPath = '/error?reason=sso'

/** `/Login` and its callback: sign-in at the partner's own provider. Full navigations, not API calls. */
export function ssoRoutes(app: FastifyInstance, deps: SsoDeps): void {
  const options = { config: { rateLimit: { max: 60, timeWindow: 60_000 } } }
  app.get('/Login', options, (request, reply) => startSignIn(deps, request, reply))
  app.get(callbackPath, options, (request, reply) => finishSignIn(deps, request, reply))
  // Server-to-server call, the only one with a form body.
  void app.register(async (scope) => {
    parseForms(scope)
    scope.post('/Login/BackChannelLogout', options, (request, reply) => handleBackChannelLogout(deps, request, reply))
  })
}

async function handleBackChannelLogout({ sso, fetch }: SsoDeps, { ctx, body }: FastifyRequest, reply: FastifyReply) {
  reply.header('cache-control', 'no-store')
  const logoutToken = (body instanceof URLSearchParams && body.get('logout_token')) || ''
  try {
    await endFromProvider(ctx, { sso, fetch, logoutToken })
    return reply.code(200).send()
  } catch (error) {
    if (error instanceof ApiError) return reply.code(400).send({ error: 'invalid_request' })
    throw error
  }
}

async function startSignIn({ cookies, sso }: SsoDeps, request: FastifyRequest, reply: FastifyReply) {
  const { ctx } = request
  const { config } = ctx.program
  const { returnTo, reauth } = request.query as { returnTo?: string; reauth?: string }
  if (config.enrollmentType !== 'sso') return redirectWithoutSso(config.enrollmentType, String(returnTo ?? ''), reply)
  const { siteMaintenance, loginMaintenance } = ctx.flags.authFlags
  // The home page says that the program is closed; without that, the error page names the problem of signing in.
  if (siteMaintenance || loginMaintenance) return reply.redirect(siteMaintenance ? '/' : '/error', 303)
  try {
    const client = await sso.of(config)
    const sessionIdHash = ctx.actor.sessionId ?? (await visitorSession(ctx, reply, cookies))
    const url = await startSso(ctx.db, {
      client,
      sessionIdHash,
      returnTo: String(returnTo ?? ''),
      forceLogin: reauth === '1',
    })
    return reply.header('cache-control', 'no-store').redirect(url.href, 303)
  } catch (error) {
    return failed(error, reply, String(returnTo ?? ''))
  }
}

function redirectWithoutSso(enrollment: 'direct' | 'none', returnTo: string, reply: FastifyReply) {
  return enrollment === 'direct'
    ? reply.redirect(withReturn('/login', safeReturnPath(returnTo, '')), 303)
    : reply.redirect('/not_found', 303)
}

async function visitorSession(ctx: Ctx, reply: FastifyReply, cookies: CookieRules): Promise<Buffer> {
  const session = await openSession(ctx.db)
  sendSession(reply, { ...session, signedIn: false }, cookies)
  return session.idHash
}

async function finishSignIn({ cookies, sso, origin }: SsoDeps, request: FastifyRequest, reply: FastifyReply) {
  const { ctx } = request
  const { config } = ctx.program
  if (config.enrollmentType !== 'sso') return reply.redirect(failedPath, 303)
  const query = request.url.split('?')[1] ?? ''
  const { sessionId, memberId: signedIn } = ctx.actor
  const attempt = sessionId ? await takeAttempt(ctx.db, { sessionIdHash: sessionId, query }) : undefined
  const target = attempt ? attempt.return_to : await takeTargetOfEnded(ctx.db, query)
  const isGivenUp = new URLSearchParams(query).get('error') === 'access_denied'
  reply.header('cache-control', 'no-store')
  // Another tab of this browser has signed in since, or the answer comes once more: the member goes on, as who they are,
  // which the page says where the answer was of another tab.
  if (!attempt && signedIn !== null) {
    if (target !== undefined) sendSignedIn(reply, cookies)
    return reply.redirect(await landing(ctx, signedIn, target ?? ''), 303)
  }
  if (target !== undefined && isGivenUp) {
    return reply.redirect(signedIn === null ? afterGivingUp(target) : safeReturnPath(target), 303)
  }
  // The other tab's customer was signed out by this sign-in at the provider, where the person is signed in now: the last
  // sign-in counts. It begins once more, because an answer is only taken by the session that asked for it.
  if (!attempt && target !== undefined) return reply.redirect(withReturn('/Login', target), 303)
  const returnTo = target ?? ''
  try {
    const client = await sso.of(config)
    const { identity, sso: provider } = await finishSso(attempt, { client, query })
    const { session, memberId } = await identified(() =>
      inTransaction(ctx.db, async (tx) => {
        const { memberId: found, newlyLinked } = await findOrCreateMemberByIdentity(tx, identity)
        if (newlyLinked)
          await sendSecurityEmail(tx, ctx, { event: 'linked', memberId: found, origin: origin(ctx.partnerId) })
        const signing = { memberId: found, remembered: false, beganWith: 'sso', sso: provider } as const
        return { memberId: found, session: await signInAs(tx, ctx, signing) }
      }),
    )
    sendSession(reply, { ...session, signedIn: true }, cookies)
    // The provider may have asked for nothing: the page says who is signed in.
    sendSignedIn(reply, cookies)
    return reply.redirect(await landing(ctx, memberId, returnTo), 303)
  } catch (error) {
    request.log.warn({ reason: reasonOf(error) }, 'sign-in at the provider failed')
    return failed(error, reply, returnTo)
  }
}

const oncePerCustomer = new Set(['members_email_once', 'identities_pkey'])

/** Two tabs, or two customers with one address, may sign in for the first time at once: the later one then finds the other. */
async function identified<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!oncePerCustomer.has(violatedConstraint(error) ?? '')) throw error
    return work()
  }
}

/** Returns why a sign-in failed, for the log: without what the provider says about the customer. */
function reasonOf(error: unknown): string {
  const cause = error instanceof ApiError ? (error.cause ?? error) : error
  if (cause instanceof ZodError) return `claims: ${cause.issues.map(({ path }) => path.join('.')).join(', ')}`
  const { code, name } = cause as { code?: unknown; name?: unknown }
  return String(code ?? name)
}

// A member without a card continues joining first; the original page stays in the address.
async function landing(ctx: Ctx, memberId: number, returnTo: string): Promise<string> {
  const member = await findMemberRow(ctx.db, memberId)
  if (member?.member_type === 'NonCardMember') {
    const next = member.zip_code === '' ? '/join' : '/add_card'
    // `/join` is the start of joining, not a page to return to.
    return withReturn(next, returnTo === '/join' ? '' : safeReturnPath(returnTo, ''))
  }
  return safeReturnPath(returnTo, '/account/overview')
}

// The page to return to stays in the address, for the next try.
function failed(error: unknown, reply: FastifyReply, returnTo: string) {
  const page = withReturn(failedPath, safeReturnPath(returnTo, ''))
  if (error instanceof ApiError) return reply.redirect(page, 303)
  throw error
}
