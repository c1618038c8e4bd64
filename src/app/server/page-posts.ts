import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { getCsrf } from '../../identity/session/contract.ts'
import { sendSession } from '../../identity/session/cookies.ts'
import { openSession } from '../../identity/session/service.ts'
import { ApiCallError, createServerApi } from '../../platform/browser/api.ts'
import { isDatabaseUnavailable, RETRY_AFTER_SECONDS } from '../../platform/database/database-unavailable.ts'
import { maxEmailLength } from '../../platform/email-address.ts'
import type { FieldError } from '../../platform/errors.ts'
import { type FormFields, type FormValues, readForm, withProblems } from '../../platform/form-fields.ts'
import type { HttpAppError } from '../../platform/http/create-http-app.ts'
import { acceptOnlyForms } from '../../platform/http/form-body.ts'
import { isOwnForm as isOwnOfHost } from '../../platform/http/own-form.ts'
import { queryOf, statusOf as statusOfError } from '../../platform/http/request-boundary.ts'
import type { AnyPagePost, FailedPost, NextPage } from '../../programs/partners/page-post.ts'
import { modules } from '../modules.ts'
import { findKnownVisitor } from './page-boot.ts'
import { createPageCalls } from './page-calls.ts'
import { type PageDeps, renderPage, sendBusyPage, sendPage, sendPlainPage, statusOf } from './pages.ts'
import { pathOf, readPassed, sendPassed } from './passed-state.ts'
import { Overloaded } from './render-queue.ts'

/** The forms of all programs. */
export const pagePosts: readonly AnyPagePost[] = modules.flatMap((module) => module.pagePosts ?? [])

/** Maximum bytes of a posted form. */
const bodyLimit = 16 * 1024

/**
 * Accepts the forms of public pages from browsers whose script is off, or not there yet: makes the API calls of the
 * page's script, then redirects, or renders the page again with its errors. See docs/decisions/064.
 */
export function servePagePosts(app: FastifyInstance, deps: PageDeps): void {
  app.register(async (scope) => {
    acceptOnlyForms(scope)
    scope.setErrorHandler<HttpAppError>((error, request, reply) => sendError(deps, error, request, reply))
    for (const post of pagePosts)
      for (const path of post.paths) {
        scope.post(path, {
          bodyLimit,
          // Before the body is read.
          onRequest: async (request, reply) => {
            if (!post.isOffered(request.ctx.program.config, path)) return reply.callNotFound()
            if (!isOwnForm(request, originOf(deps, request)))
              return sendPlainPage(deps, request, reply.code(403), [request.ctx.t('errors.foreign_form')])
          },
          handler: (request, reply) => acceptPost(app, deps, post, request, reply),
        })
      }
    // The other forms of members need a script: a browser that posts one nevertheless gets a page, and no data.
    scope.post('/account/*', {
      onRequest: async (request, reply) => {
        const { enrollmentType } = request.ctx.program.config
        if (enrollmentType === 'none' || !isOwnForm(request, originOf(deps, request))) return reply.callNotFound()
        const { t } = request.ctx
        return sendPlainPage(deps, request, reply.code(405).header('allow', 'GET, HEAD'), [t('form.needs_script')])
      },
      handler: (_request, reply) => reply.callNotFound(),
    })
  })
}

const originOf = ({ programFiles }: PageDeps, { ctx }: FastifyRequest) => programFiles.fileOf(ctx).content.site.origin

/**
 * Returns whether a page of this origin sent the form. In place of a CSRF token, which a page that is the same for all
 * visitors cannot have. Browsers add these headers, and no page can change them.
 */
function isOwnForm({ headers }: FastifyRequest, own: string): boolean {
  return headers.origin === own && isOwnOfHost({ headers })
}

async function acceptPost(
  app: FastifyInstance,
  deps: PageDeps,
  post: AnyPagePost,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  reply.header('cache-control', 'no-store')
  const { config } = request.ctx.program
  const passed = readPassed(request, deps.cookies)
  const form = request.body as URLSearchParams
  const typed = readTyped(post.fields, form)
  // The page says that it is closed.
  if (isClosed(post, request)) return sendAgain(app, deps, request, reply, { status: 503, passed })
  const { values, errors } = readForm(post.fields, typed)
  const invalid = withProblems(errors, post.problems?.(values, config) ?? [])
  try {
    if (Object.keys(invalid).length > 0) throw new ApiCallError(400, { code: 'fields' }, toFields(invalid))
    const next = await submit(app, deps, request, reply, (call) =>
      post.submit(values, {
        call,
        config,
        search: queryOf(request),
        cookies: request.headers.cookie ?? '',
        passed: passed ?? {},
      }),
    )
    sendPassed(reply, next, deps.cookies)
    return reply.redirect(next.to, 303)
  } catch (error) {
    if (!(error instanceof ApiCallError)) throw error
    passEmail(post, { typed, passed }, request, reply, deps)
    const failed = toFailed(post, { typed, names: [...form.keys()] }, error, request.ctx.t)
    const isInvalid = error.status === 400 || Object.keys(failed.errors).length > 0
    const status = isInvalid ? 422 : error.status
    return sendAgain(app, deps, request, reply, { status, passed: { ...passed, failed } })
  }
}

/**
 * Passes the address of a failed form to the other forms that begin with one, instead of the address of an earlier try:
 * a person who cannot sign in joins, or recovers the password.
 */
function passEmail(
  { emailField }: AnyPagePost,
  { typed, passed }: { typed: FormValues<FormFields>; passed: Record<string, unknown> | undefined },
  request: FastifyRequest,
  reply: FastifyReply,
  { cookies }: PageDeps,
): void {
  if (!emailField) return
  const email = String(typed[emailField] ?? '').trim()
  if (email === '' || email === passed?.email) return
  const to = pathOf(request.url)
  const isAddress = email.includes('@') && email.length <= maxEmailLength
  sendPassed(reply, isAddress ? { to, state: { email }, alsoFor: ['/login', '/join', '/recover'] } : { to }, cookies)
}

/** Aborts when the client disconnects. The signal of a request would also abort when its body has been read. */
function signalOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => controller.abort())
  return controller.signal
}

function isClosed({ maintenance }: AnyPagePost, request: FastifyRequest): boolean {
  const { authFlags } = request.ctx.flags
  return statusOf(request, 200) === 503 || (maintenance !== undefined && authFlags[maintenance])
}

/** Makes the calls of a form, with a session as the script has: the bot check counts failures of a session. */
async function submit(
  app: FastifyInstance,
  deps: PageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (call: ReturnType<typeof createServerApi>['call']) => Promise<NextPage>,
): Promise<NextPage> {
  const { ctx } = request
  if (ctx.actor.sessionId === null) {
    await app.rateLimits.get(`${getCsrf.method} ${getCsrf.path}`)?.(request, reply)
    const session = await openSession(ctx.db)
    sendSession(reply, { ...session, signedIn: false }, deps.cookies)
    ctx.actor = { ...ctx.actor, sessionId: session.idHash, csrfToken: session.csrfToken }
  }
  const invoke = createPageCalls(app, { ctx, signal: signalOf(reply), onFailure: () => {}, http: { request, reply } })
  return work(createServerApi(invoke).call)
}

/** Reads the fields of a form. Browsers omit an empty checkbox. */
function readTyped(fields: FormFields, form: URLSearchParams): FormValues<FormFields> {
  const typed = Object.entries(fields).map(([name, field]) => {
    const given = form.get(name)
    if (field.type === 'text' || field.type === 'day') return [name, given ?? undefined]
    if (given !== null) return [name, true]
    return [name, field.absent === 'undefined' ? undefined : false]
  })
  return Object.fromEntries(typed)
}

const toErrors = (fields: readonly FieldError[]) =>
  Object.fromEntries(fields.map(({ field, message }) => [field, message]))

const toFields = (errors: Readonly<Record<string, string>>) =>
  Object.entries(errors).map(([field, message]) => ({ field, message }))

/** Returns what the page shows of a failed form: what its script would show. */
function toFailed(
  { name, secrets, fieldErrors }: AnyPagePost,
  { typed, names }: { typed: FormValues<FormFields>; names: readonly string[] },
  { code, title, fields: given }: ApiCallError,
  t: (key: string) => string,
): FailedPost {
  const own = fieldErrors?.[code]
  const fields = own ? [own] : given
  const values = Object.entries(typed).filter(([field, value]) => value !== undefined && !secrets.includes(field))
  const needsScript = fields.some(({ field }) => field === 'gRecaptchaResponse')
  // A browser sends fields in page order, without empty checkboxes.
  const placeOf = ({ field }: FieldError) => (names.includes(field) ? names.indexOf(field) : names.length)
  const isInvalid = fields.length > 0 && !needsScript
  return {
    post: name,
    values: Object.fromEntries(values) as FailedPost['values'],
    errors: isInvalid ? toErrors(fields.toSorted((a, b) => placeOf(a) - placeOf(b))) : {},
    failure: isInvalid ? null : needsScript ? t('bot.needs_script') : title || t('errors.general'),
    code,
  }
}

interface Again {
  status: number
  passed: Record<string, unknown> | undefined
}

/** Sends the page of the form again. It has input of a person: it is rendered for this response, and stored nowhere. */
async function sendAgain(
  app: FastifyInstance,
  deps: PageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, passed }: Again,
) {
  const known = await findKnownVisitor(request)
  const render = { request, known, passed, isShared: false, signal: signalOf(reply) }
  const result = await renderPage(app, deps, render)
  if (result.kind === 'redirect') return reply.redirect(result.to, 303)
  if (status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS)
  const sent = result.status === 200 ? status : result.status
  return sendPage(deps, request, reply, { ...result, status: sent, isStorable: false })
}

/** Sends a plain page: the form was too large, malformed or of another type, or the page could not be rendered. */
function sendError(deps: PageDeps, error: HttpAppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // Rejected before its program was known: the error handler of the app responds.
  if (!request.ctx) throw error
  // The client disconnected, or a response was already sent.
  if (reply.raw.closed) return reply.sent ? reply : reply.code(499).send('')
  if (error instanceof Overloaded) return sendBusyPage(deps, request, reply)
  const status = statusOfError(error, request)
  if (status >= 500) request.log.error({ err: error }, 'posted form failed')
  if (isDatabaseUnavailable(error)) reply.header('retry-after', RETRY_AFTER_SECONDS)
  const text = request.ctx.t(status === 429 ? 'errors.too_many' : 'errors.general')
  return sendPlainPage(deps, request, reply.code(status), [text])
}
