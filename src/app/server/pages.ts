import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fixCredentialsPath } from '../../account/pages/rules.ts'
import { findMemberRow } from '../../identity/members/service.ts'
import type { CookieRules } from '../../identity/session/cookies.ts'
import { isDatabaseUnavailable, RETRY_AFTER_SECONDS } from '../../platform/database/database-unavailable.ts'
import { sameForVisitors } from '../../platform/http/caching.ts'
import { anonymousActor } from '../../platform/http/context.ts'
import { csp, hashSource, NONE } from '../../platform/http/csp.ts'
import { sendEncoded, sendOnce } from '../../platform/http/encoded-body.ts'
import { networksOf } from '../../platform/http/network.ts'
import { interpolate } from '../../platform/interpolate.ts'
import { programVersion } from '../../programs/content/program-version.ts'
import type { Program } from '../../programs/partners/context.ts'
import type { Theme } from '../../programs/partners/theme.ts'
import type { RenderRequest, RenderResult } from '../web/entry.server.tsx'
import {
  createPageBoot,
  findKnownVisitor,
  isErrorPage,
  modeOf,
  nativeAppOf,
  type PageBootDeps,
  type PageVisitor,
} from './page-boot.ts'
import type { PageCache, RenderedPage, SharedPage } from './page-cache.ts'
import { createPageCalls } from './page-calls.ts'
import { createPageSecurity, type PageSecurity, type PageSecurityDeps } from './page-security.ts'
import { readPassed } from './passed-state.ts'
import type { ProgramFileStore } from './program-files.ts'
import { recipientOf } from './recipient.ts'
import { Overloaded, type RenderQueues } from './render-queue.ts'
import type { ServerPages } from './server-pages.ts'

/** The built web code or, in development, the live one. */
export interface WebBundle {
  render(request: RenderRequest): Promise<RenderResult>
  /** The client's entry script, and which files to preload for modules. */
  scripts(): { entry: string; preload: RenderRequest['preload'] }
  /** Returns the stylesheets of a theme type: its fonts, then the app's own. */
  styles(type: Theme['type']): string[]
  /** How pages contain their styles. Absent in development, where they link them. */
  inline?: {
    /** The app's whole stylesheet, which the browser loads before hydration. */
    stylesheet: string | null
    /** Returns the font faces of a theme type. */
    fontStyles(type: Theme['type']): string
    /** Returns the font files that the first screen of a theme type needs. */
    fontFiles(type: Theme['type']): string[]
    /** Returns the rules of the app's stylesheet that apply to a page. */
    usedStyles(html: string): string
  }
}

export interface PageServerDeps extends PageSecurityDeps, PageBootDeps {
  programFiles: ProgramFileStore
  web: WebBundle
  pages: ServerPages
  cookies: CookieRules
  cache: PageCache
  queues: RenderQueues
  /** Changes with every restaurant update. */
  merchantsVersion: () => number
  /** Offset of the staging clock, in milliseconds. */
  clockOffset: () => number
}

export interface PageDeps extends PageServerDeps {
  security: PageSecurity
}

/**
 * Serves every page of every program; unknown paths get the not-found page with status 404. Returns what other
 * responses with pages need.
 */
export function servePages(app: FastifyInstance, deps: PageServerDeps): PageDeps {
  const all = { ...deps, security: createPageSecurity(deps) }
  app.get('/*', sameForVisitors, (request, reply) => servePage(app, all, request, reply))
  return all
}

async function servePage(app: FastifyInstance, deps: PageDeps, request: FastifyRequest, reply: FastifyReply) {
  const canonical = withoutTrailingSlash(request.url)
  if (canonical !== null) return reply.redirect(canonical, 308)
  if (await mustFixCredentials(request)) return reply.redirect(fixCredentialsPath(request.url), 302)
  const visitor = { known: await findKnownVisitor(request), passed: readPassed(request, deps.cookies) }
  const key = cacheKey(deps, request, visitor)
  const cached = key === null ? undefined : deps.cache.find(key)
  if (cached) return sendShared(deps, request, reply, cached, 200)
  try {
    const render = (signal: AbortSignal) =>
      renderPage(app, deps, { request, ...visitor, isShared: key !== null, signal })
    const sharing = { signal: request.signal, network: networksOf(request.ip)[0].network }
    const result = key === null ? await render(request.signal) : await deps.cache.share(key, sharing, render)
    if (result.kind === 'redirect') return reply.redirect(result.to, result.status)
    const lowerCase = result.status === 404 ? inLowerCase(request.url) : null
    if (lowerCase !== null) return reply.redirect(lowerCase, 308)
    if (key === null) return sendPage(deps, request, reply, { ...result, isStorable: visitor.passed === undefined })
    return sendShared(deps, request, reply, deps.cache.set(key, result), result.status)
  } catch (error) {
    if (error instanceof Overloaded) return sendBusyPage(deps, request, reply)
    // The client disconnected, or a response was already sent.
    if (request.signal.aborted) return reply.sent ? reply : reply.code(499).send('')
    request.log.error({ err: error }, 'page failed')
    if (isDatabaseUnavailable(error)) reply.code(503).header('retry-after', String(RETRY_AFTER_SECONDS))
    else reply.code(500)
    return sendPlainPage(deps, request, reply, [
      request.ctx.t('server_error.title'),
      interpolate(request.ctx.t('server_error.reference'), { code: request.id }),
    ])
  }
}

/** Returns whether this is an account page of a member who must give a new email address first. */
async function mustFixCredentials({ ctx, url }: FastifyRequest): Promise<boolean> {
  // Members of other programs have the address that their partner knows.
  const isOffered = ctx.program.config.enrollmentType === 'direct'
  if (ctx.actor.memberId === null || !isOffered || !/^\/account(?:[/?]|$)/.test(url)) return false
  return (await findMemberRow(ctx.db, ctx.actor.memberId))?.must_fix_credentials === true
}

/** Returns the path and query without slashes at the end of the path, or null when it has none. */
export function withoutTrailingSlash(url: string): string | null {
  const [, path, query = ''] = /^(\/[^?]*[^/?])\/+(\?.*)?$/.exec(url) ?? []
  return path === undefined ? null : path + query
}

/**
 * Returns the address with its path in lower case, as all addresses of pages are but those with an id of a member's, or
 * null when it has no capitals.
 */
export function inLowerCase(url: string): string | null {
  const [, path = '', query = ''] = /^([^?]*)(\?.*)?$/.exec(url) ?? []
  // The digits of an encoded character are not letters of the path.
  const changed = path.replaceAll(/%[0-9A-Fa-f]{2}|[A-Z]/g, (found) =>
    found.length === 1 ? found.toLowerCase() : found,
  )
  return changed === path ? null : changed + query
}

interface PageRender extends PageVisitor {
  request: FastifyRequest
  /** Rendered for any visitor, regardless of the request. */
  isShared: boolean
  signal: AbortSignal
}

export async function renderPage(
  app: FastifyInstance,
  deps: PageDeps,
  { request, isShared, signal, ...visitor }: PageRender,
) {
  const ctx = isShared ? { ...request.ctx, actor: anonymousActor, userAgent: '' } : request.ctx
  const program = deps.programFiles.fileOf(request.ctx)
  let isComplete = true
  const invoke = createPageCalls(app, {
    ctx,
    signal,
    onFailure: () => {
      isComplete = false
    },
  })
  const queue = ctx.actor.memberId === null ? deps.queues.visitors : deps.queues.members
  const result = await queue.run(ctx.address, signal, (nextTurn) =>
    deps.web.render({
      url: program.content.site.origin + request.url,
      pageBoot: createPageBoot(deps, request, visitor),
      program,
      invoke,
      nextTurn,
      signedIn: ctx.actor.memberId !== null,
      reference: request.id,
      loader: deps.security.loader,
      preload: deps.web.scripts().preload,
      fontFiles: deps.web.inline?.fontFiles(ctx.program.theme.type) ?? [],
      stylesOf: stylesOf(deps.web, ctx.program),
      signal,
      onError: (error) => signal.aborted || request.log.error({ err: error }, 'page failed'),
    }),
  )
  return result.kind === 'redirect'
    ? result
    : { ...result, style: result.style && hashSource(result.style), isComplete }
}

/** Returns what selects the styles that a page contains: font faces, the theme, and the app's rules. */
function stylesOf({ inline }: WebBundle, { theme, themeCss }: Program): RenderRequest['stylesOf'] {
  return (html) => (inline ? inline.fontStyles(theme.type) + themeCss + inline.usedStyles(html) : '')
}

export function sendBusyPage(deps: PageDeps, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendPlainPage(deps, request, reply.code(503).header('retry-after', '5'), [request.ctx.t('errors.busy')])
}

/** Sends a page without styles and scripts when rendering failed. */
export function sendPlainPage(
  { pages }: Pick<PageDeps, 'pages'>,
  { ctx }: FastifyRequest,
  reply: FastifyReply,
  texts: readonly string[],
): FastifyReply {
  return reply
    .headers({
      'cache-control': 'no-store',
      'content-security-policy': csp({ 'default-src': NONE, 'base-uri': NONE, 'frame-ancestors': NONE }),
    })
    .type('text/html; charset=utf-8')
    .send(pages.renderPlainPage(ctx.program.config.programName, texts))
}

/** Sends a page of one person. Unless `isStorable`, its browser must not store it either. */
export function sendPage(
  deps: PageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  page: RenderedPage & { isStorable: boolean },
): FastifyReply {
  const { ctx } = request
  // Pages of members and editors must not be stored, not even on the same device.
  const mayStore = page.isStorable && recipientOf(request) !== 'person'
  const status = statusOf(request, page.status)
  if (status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS)
  reply
    .code(status)
    .headers(deps.security.headers(page.style, { isOperator: ctx.actor.operator !== null }))
    .headers(linkHeaders(page))
    .header('cache-control', mayStore ? 'private, no-cache' : 'private, no-store')
  return sendOnce(request, reply, page.html, htmlType)
}

/** Sends a page that is the same for all visitors. */
function sendShared(
  deps: PageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { body, ...page }: SharedPage,
  status: number,
) {
  const sent = statusOf(request, status)
  if (sent === 503) reply.header('retry-after', RETRY_AFTER_SECONDS)
  reply
    .code(sent)
    .headers(deps.security.headers(page.style, { isOperator: false }))
    .headers(linkHeaders(page))
    .headers(sent === 200 && recipientOf(request) === 'anyone' ? sharedCaching : ownCaching)
  return sendEncoded(request, reply, body, htmlType)
}

const linkHeaders = ({ links }: Pick<RenderedPage, 'links'>) => (links === '' ? {} : { link: links })

const htmlType = 'text/html; charset=utf-8'
// The cookies tell a visitor from a member. See docs/decisions/055.
const vary = 'accept-encoding, cookie'
const ownCaching = { vary, 'cache-control': 'private, no-cache' }
const sharedCaching = {
  vary,
  'cache-control': 'public, max-age=0, s-maxage=30',
  'cdn-cache-control': 'public, max-age=30, stale-while-revalidate=30',
}

const isStagingTool = ({ url }: Pick<FastifyRequest, 'url'>) => /^\/staging-tools(?:[/?]|$)/.test(url)

/** Returns the status of a page: 503 while it is closed for maintenance, except the staging tools, which can end it. */
export function statusOf({ ctx, url }: FastifyRequest, status: number): number {
  const { siteMaintenance, loginMaintenance, joinMaintenance } = ctx.flags.authFlags
  if (isStagingTool({ url })) return status
  const [, page] = /^\/(login|join)(?:[/?]|$)/.exec(url) ?? []
  const isClosed = siteMaintenance || (page === 'login' && loginMaintenance) || (page === 'join' && joinMaintenance)
  return isClosed ? 503 : status
}

/**
 * Returns the cache key: the program with its messages, feature flags and restaurants, and the URL. Returns null when
 * the page is personalized (member, operator, known visitor, passed state, preview, native app), contains a request
 * reference, or shows what its own buttons have just changed (staging tools), and must not be cached.
 */
export function cacheKey(deps: PageDeps, request: FastifyRequest, { known, passed }: PageVisitor): string | null {
  const { ctx } = request
  if (deps.development || ctx.actor.memberId !== null || known || passed || ctx.mayPreview) return null
  if (nativeAppOf(deps, request) || isErrorPage(request) || isStagingTool(request)) return null
  const state = [programVersion(ctx), deps.merchantsVersion(), deps.clockOffset(), modeOf(request) ?? 'system']
  return [ctx.partnerId, ...state, request.url].join(' ')
}
