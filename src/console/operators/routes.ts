import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { returnPathIn } from '../../identity/session/sso/return-path.ts'
import type { Db } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { sameForAll } from '../../platform/http/caching.ts'
import { isOwnForm } from '../../platform/http/own-form.ts'
import { problem } from '../../platform/http/problem.ts'
import { BadRequest } from '../../platform/http/request-boundary.ts'
import { DAY, SECOND } from '../../platform/time.ts'
import { consoleStyles } from '../ui/styles.ts'
import { type ConsoleUi, schemeOf } from './admin-context.ts'
import { isArrival, sendArrival } from './arrival.ts'
import './context.ts'
import type * as operatorPages from './pages.tsx'
import { passkeyCheckPath } from './passkey-check-path.ts'
import { hasPasskeys } from './passkeys.ts'
import { onReturn, returnPathOf } from './return-to.ts'
import { continueConsoleSession, endConsoleSession, signInOperator } from './service.ts'

export interface OperatorDeps {
  db: Db
  lockKey: Buffer
  scheme: 'http' | 'https'
  /** Shown on the public sign-in page. */
  hint: string | null
  pages: ConsoleUi & typeof operatorPages
}

const cookieNames = { https: '__Host-console', http: 'console' } as const
const deviceCookies = { https: '__Host-console-device', http: 'console-device' } as const
const deviceMaxAgeSeconds = (365 * DAY) / SECOND
const signInPath = '/sign-in'

const beforePasskeyCheck = new Set([passkeyCheckPath, '/passkey.js', '/sign-out'])

const SignInForm = z.object({ email: z.string().max(254), password: z.string().max(1024) })

/** Clears the session cookie after all sessions of the operator ended. */
export function clearConsoleSession(reply: FastifyReply, scheme: 'http' | 'https'): void {
  reply.clearCookie(cookieNames[scheme], { path: '/', secure: scheme === 'https' })
}

/** Makes every page, form and call of the console require a session, except the sign-in page. */
export function requireConsoleSession(app: FastifyInstance, deps: Pick<OperatorDeps, 'db' | 'scheme'>): void {
  const name = cookieNames[deps.scheme]
  app.decorateRequest('consoleSession', null)
  // Runs before body parsing so that unauthenticated requests never have their body read.
  app.addHook('onRequest', async (request, reply) => {
    if (request.method === 'POST' && !isOwnForm(request)) throw new BadRequest('cross-site form submission', 403)
    if (isOpen(request)) return
    const id = request.cookies[name]
    request.consoleSession = id === undefined ? null : await continueConsoleSession(deps.db, id)
    if (!request.consoleSession) {
      if (isCall(request)) return problem(reply, 401, 'unauthorized', 'Your session has ended. Please sign in again.')
      if (id === undefined && isArrival(request)) return sendArrival(request, reply)
      return reply.redirect(onReturn(request, signInPath), 303)
    }
    // The password was correct; an operator with a passkey must verify it first.
    const { operator, passkeyVerified } = request.consoleSession
    if (!passkeyVerified && !beforePasskeyCheck.has(pathOf(request)) && (await hasPasskeys(deps.db, operator.id))) {
      if (isCall(request)) return problem(reply, 401, 'unauthorized', 'Please verify your passkey first.')
      return reply.redirect(onReturn(request, passkeyCheckPath), 303)
    }
  })
}

const isCall = (request: FastifyRequest) => request.url.startsWith('/api/')

/** Registers sign-in, and the check of the token in every form. */
export function operatorRoutes(app: FastifyInstance, deps: OperatorDeps): void {
  const { lockKey, hint } = deps
  const name = cookieNames[deps.scheme]
  const deviceName = deviceCookies[deps.scheme]
  const cookie = { path: '/', httpOnly: true, secure: deps.scheme === 'https', sameSite: 'strict' } as const
  app.addHook('preHandler', async (request) => {
    if (request.method !== 'POST' || isOpen(request)) return
    if (!hasToken(request)) throw new BadRequest('missing or wrong CSRF token', 403)
  })

  app.get('/console.css', sameForAll, (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=300').send(consoleStyles),
  )
  app.get(signInPath, (request, reply) => signInPage(deps, reply, { hint, returnTo: returnPathOf(request.query) }))
  app.post(signInPath, { config: { rateLimit: { max: 10, timeWindow: 60_000 } } }, async (request, reply) => {
    const form = SignInForm.safeParse(Object.fromEntries(request.body as URLSearchParams))
    const fields = request.body as URLSearchParams
    const email = fields.get('email') ?? ''
    const returnTo = returnPathIn(fields)
    const device = request.cookies[deviceName]
    const signIn =
      form.success && (await orBusy(signInOperator(deps.db, { ...form.data, lockKey, device, address: request.ip })))
    if (signIn === 'busy')
      return signInPage(deps, reply.code(429), {
        hint,
        email,
        returnTo,
        problem: 'Many people are signing in at the moment. Please try again in a minute.',
      })
    if (!signIn)
      return signInPage(deps, reply.code(400), {
        hint,
        email,
        returnTo,
        problem:
          'This email address and password don’t match, or there were too many attempts. After ten attempts an address is locked for 30 minutes.',
      })
    reply
      .setCookie(name, signIn.id, cookie)
      .setCookie(deviceName, signIn.device, { ...cookie, maxAge: deviceMaxAgeSeconds })
    return reply.redirect(returnTo || '/', 303)
  })
  app.post('/sign-out', async (request, reply) => {
    if (request.consoleSession) await endConsoleSession(deps.db, request.consoleSession.idHash)
    return reply.clearCookie(name, cookie).redirect('/sign-in', 303)
  })
}

// Password hashing is deliberately slow, so only a limited number run concurrently.
async function orBusy<T>(work: Promise<T>): Promise<T | 'busy'> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ApiError && error.code === 'busy') return 'busy'
    throw error
  }
}

const pathOf = ({ url }: FastifyRequest) => url.split('?')[0] ?? ''
const isOpen = (request: FastifyRequest) =>
  request.routeOptions.config.sharing === 'always' ||
  (pathOf(request) === signInPath && ['GET', 'HEAD', 'POST'].includes(request.method))

type SignIn = Parameters<typeof operatorPages.SignInPage>[0]

function signInPage({ pages }: OperatorDeps, reply: FastifyReply, props: SignIn): FastifyReply {
  const title = props.problem === undefined ? 'Sign in' : 'Error: Sign in'
  const frame = { title, heading: 'Sign in', operator: null, scheme: schemeOf(reply.request) }
  return reply.type('text/html; charset=utf-8').send(pages.renderConsolePage(frame, pages.SignInPage, props))
}

function hasToken({ body, consoleSession }: FastifyRequest): boolean {
  const given = Buffer.from((body instanceof URLSearchParams && body.get('csrf')) || '')
  const expected = Buffer.from(consoleSession?.csrfToken ?? '')
  return expected.length > 0 && given.length === expected.length && timingSafeEqual(given, expected)
}
