import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PublicId } from '../../identity/members/schemas.ts'
import { readKnownMember } from '../../identity/members/service.ts'
import { isDatabaseUnavailable, RETRY_AFTER_SECONDS } from '../../platform/database/database-unavailable.ts'
import { ApiError } from '../../platform/errors.ts'
import { anonymousActor } from '../../platform/http/context.ts'
import { csp, hashSource, NONE } from '../../platform/http/csp.ts'
import { sendEncoded, sendOnce } from '../../platform/http/encoded-body.ts'
import { interpolate } from '../../platform/interpolate.ts'
import { programVersion } from '../../programs/content/program-version.ts'
import type { Program } from '../../programs/partners/context.ts'
import type { Theme } from '../../programs/partners/theme.ts'
import { nativeAppOf as readNativeApp } from '../../programs/pwa/rules.ts'
import { publicIdCookie } from '../../programs/tracking/rules.ts'
import { nativeCookie } from '../../staging/rules.ts'
import type { Boot } from '../web/boot.ts'
import type { RenderRequest, RenderResult } from '../web/entry.server.tsx'
import type { PageCache, RenderedPage, SharedPage } from './page-cache.ts'
import { createPageCalls } from './page-calls.ts'
import { createPageSecurity, type PageSecurity, type PageSecurityDeps } from './page-security.ts'
import type { ProgramFiles } from './program-files.ts'
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

export interface PageServerDeps extends PageSecurityDeps {
  web: WebBundle
  pages: ServerPages
  stagingTools: boolean
  hasServiceWorker: boolean
  cache: PageCache
  programFiles: ProgramFiles
  queues: RenderQueues
  /** Returns the origin of a program's pages. */
  origin: (partnerId: string) => string
  /** Changes with every restaurant update. */
  merchantsVersion: () => number
  /** Offset of the staging clock, in milliseconds. */
  clockOffset: () => number
}

interface Deps extends PageServerDeps {
  security: PageSecurity
}

/** Serves every page of every program; unknown paths get the not-found page with status 404. */
export function servePages(app: FastifyInstance, deps: PageServerDeps): void {
  const all = { ...deps, security: createPageSecurity(deps) }
  app.get('/*', (request, reply) => servePage(app, all, request, reply))
}

async function servePage(app: FastifyInstance, deps: Deps, request: FastifyRequest, reply: FastifyReply) {
  const canonical = withoutTrailingSlash(request.url)
  if (canonical !== null) return reply.redirect(canonical, 308)
  const known = await findKnownVisitor(request)
  const key = cacheKey(deps, request, known)
  const cached = key === null ? undefined : deps.cache.find(key)
  if (cached) return sendShared(deps, request, reply, cached, 200)
  try {
    const render = (signal: AbortSignal) => renderPage(app, deps, { request, known, isShared: key !== null, signal })
    const result = key === null ? await render(request.signal) : await deps.cache.share(key, request.signal, render)
    if (result.kind === 'redirect') return reply.redirect(result.to, result.status)
    if (result.status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS)
    if (key === null) return sendPage(deps, request, reply, result)
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

/** Returns the path and query without slashes at the end of the path, or null when it has none. */
export function withoutTrailingSlash(url: string): string | null {
  const [, path, query = ''] = /^(\/[^?]*[^/?])\/+(\?.*)?$/.exec(url) ?? []
  return path === undefined ? null : path + query
}

interface PageRender {
  request: FastifyRequest
  known: Boot['known']
  /** Rendered for any visitor, regardless of the request. */
  isShared: boolean
  signal: AbortSignal
}

async function renderPage(app: FastifyInstance, deps: Deps, { request, known, isShared, signal }: PageRender) {
  const ctx = isShared ? { ...request.ctx, actor: anonymousActor, userAgent: '' } : request.ctx
  const boot = createBoot(deps, request, known)
  let isComplete = true
  const invoke = createPageCalls(app, {
    ctx,
    signal,
    onFailure: () => {
      isComplete = false
    },
  })
  const queue = ctx.actor.memberId === null ? deps.queues.visitors : deps.queues.members
  const result = await queue.run(ctx.address, signal, () =>
    deps.web.render({
      url: boot.origin + request.url,
      boot,
      programHref: deps.programFiles.fileOf(request.ctx).href,
      invoke,
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

const isErrorPage = ({ url }: FastifyRequest) => /^\/error(\?|$)/.test(url)

function sendBusyPage(deps: Deps, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendPlainPage(deps, request, reply.code(503).header('retry-after', '5'), [request.ctx.t('errors.busy')])
}

/** Sends a page without styles and scripts when rendering failed. */
function sendPlainPage(
  { pages }: Deps,
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

/** Sends a page of one person. */
function sendPage(deps: Deps, request: FastifyRequest, reply: FastifyReply, page: RenderedPage): FastifyReply {
  const { ctx } = request
  // Pages of members and editors must not be stored, not even on the same device.
  const mayStore = ctx.actor.memberId === null && !(ctx.mayPreview && !ctx.program.config.cmsPreview)
  reply
    .code(statusOf(request, page.status))
    .headers(deps.security.headers(page.style, { isOperator: ctx.actor.operator !== null }))
    .header('cache-control', mayStore ? 'private, no-cache' : 'private, no-store')
  return sendOnce(request, reply, page.html, htmlType)
}

/** Sends a page that is the same for all visitors. */
function sendShared(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { body, style }: SharedPage,
  status: number,
) {
  const sent = statusOf(request, status)
  reply
    .code(sent)
    .headers(deps.security.headers(style, { isOperator: false }))
    .headers(sent === 200 ? sharedCaching : uncached)
  return sendEncoded(request, reply, body, htmlType)
}

const htmlType = 'text/html; charset=utf-8'
// The cookies tell a visitor from a member. See docs/decisions/055.
const vary = 'accept-encoding, cookie'
const uncached = { vary, 'cache-control': 'no-cache' }
const sharedCaching = {
  vary,
  'cache-control': 'public, max-age=0, s-maxage=30',
  'cdn-cache-control': 'public, max-age=30, stale-while-revalidate=30',
}

function statusOf({ ctx, url }: FastifyRequest, status: number): number {
  const isClosed = ctx.flags.authFlags.siteMaintenance && !/^\/((login|join)(\?|$)|staging-tools)/.test(url)
  return isClosed ? 503 : status
}

/**
 * Returns the cache key: the program with its messages, feature flags and restaurants, and the URL. Returns null when
 * the page is personalized (member, operator, known visitor, preview, native app) or contains a request reference, and
 * must not be cached.
 */
function cacheKey(deps: Deps, request: FastifyRequest, known: Boot['known']): string | null {
  const { ctx } = request
  if (deps.development || ctx.actor.memberId !== null || known || ctx.mayPreview) return null
  if (nativeAppOf(deps, request) || isErrorPage(request)) return null
  const state = [programVersion(ctx), deps.merchantsVersion(), deps.clockOffset(), modeOf(request) ?? 'system']
  return [ctx.partnerId, ...state, request.url].join(' ')
}

function createBoot(deps: Deps, request: FastifyRequest, known: Boot['known']): Boot {
  const { ctx } = request
  const { theme, shownLogo: logo } = ctx.program
  return {
    ...deps.programFiles.fileOf(ctx).content,
    version: programVersion(ctx),
    preview: ctx.mayPreview,
    reference: isErrorPage(request) ? request.id : '',
    known,
    mode: modeOf(request),
    logo,
    previewImage: ctx.program.previewImage.href,
    // Never the request's Host header: behind a proxy, a client may choose it.
    origin: deps.origin(ctx.partnerId),
    apiBase: '',
    vaultOrigin: deps.vaultOrigin,
    formsOrigin: deps.formsOrigin,
    stagingTools: deps.stagingTools,
    adTagUrl: deps.adTagUrl,
    mapTiles: deps.mapTiles,
    nativeApp: nativeAppOf(deps, request),
    botCheck: deps.botCheck,
    cardProvider: deps.cardProvider,
    consoleOrigin: deps.consoleOrigin,
    operator: ctx.actor.operator && { name: ctx.actor.operator.name, mayChange: ctx.actor.operator.mayChange },
    hasServiceWorker: deps.hasServiceWorker,
    styles: deps.web.inline ? [] : [...deps.web.styles(theme.type), ctx.program.themeHref],
    laterStyles: deps.web.inline?.stylesheet ?? null,
    themeColor: { light: theme.colors.light.ground, dark: theme.colors.dark.ground },
  }
}

/**
 * Returns the member that an invitation was sent to: by the public id in the URL, else by the cookie of an earlier
 * visit.
 */
async function findKnownVisitor({ ctx, query, cookies }: FastifyRequest): Promise<Boot['known']> {
  if (ctx.actor.memberId !== null) return null
  const id = PublicId.safeParse((query as { publicId?: unknown }).publicId ?? cookies[publicIdCookie])
  if (!id.success) return null
  return readKnownMember(ctx.db, ctx, id.data).catch((error) => {
    if (error instanceof ApiError) return null
    throw error
  })
}

function nativeAppOf({ stagingTools }: Deps, { headers, cookies }: FastifyRequest): Boot['nativeApp'] {
  return readNativeApp((stagingTools && cookies[nativeCookie]) || (headers['user-agent'] ?? ''))
}

function modeOf({ cookies }: FastifyRequest): Boot['mode'] {
  return cookies.mode === 'dark' || cookies.mode === 'light' ? cookies.mode : null
}
