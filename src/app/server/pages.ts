import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PublicId } from '../../identity/members/contract.ts'
import { readKnownMember } from '../../identity/members/service.ts'
import { isDatabaseUnavailable, RETRY_AFTER_SECONDS } from '../../platform/database/database-unavailable.ts'
import { ApiError } from '../../platform/errors.ts'
import { anonymousActor } from '../../platform/http/context.ts'
import { createNonce, csp, NONE } from '../../platform/http/csp.ts'
import { interpolate } from '../../platform/interpolate.ts'
import { programVersion } from '../../programs/content/program-version.ts'
import { publicConfig } from '../../programs/partners/rules.ts'
import type { Theme } from '../../programs/partners/theme.ts'
import { nativeAppOf as readNativeApp } from '../../programs/pwa/rules.ts'
import { publicIdCookie } from '../../programs/tracking/rules.ts'
import { nativeCookie } from '../../staging/rules.ts'
import type { Boot } from '../web/boot.ts'
import type { RenderRequest, RenderResult } from '../web/entry.server.tsx'
import type { PageCache } from './page-cache.ts'
import { createPageCalls } from './page-calls.ts'
import { pageHeaders } from './page-headers.ts'
import { Overloaded, type RenderQueues } from './render-queue.ts'
import type { ServerPages } from './server-pages.ts'

/** The built web code or, in development, the live one. */
export interface WebBundle {
  render(request: RenderRequest): Promise<RenderResult>
  scripts(): RenderRequest['scripts']
  /** Returns the stylesheets of a theme type: its fonts, then the app's own. */
  styles(type: Theme['type']): string[]
}

export interface PageServerDeps {
  web: WebBundle
  pages: ServerPages
  vaultOrigin: string
  formsOrigin: string
  stagingTools: boolean
  development: boolean
  adTagUrl: string | null
  consoleOrigin: string
  botCheck: Boot['botCheck']
  cardProvider: Boot['cardProvider']
  mapTiles: Boot['mapTiles']
  hasServiceWorker: boolean
  cache: PageCache
  queues: RenderQueues
  /** Returns the origin of a program's pages. */
  origin: (partnerId: string) => string
  /** Changes with every restaurant update. */
  merchantsVersion: () => number
  /** Offset of the staging clock, in milliseconds. */
  clockOffset: () => number
}

/** Serves every page of every program; unknown paths get the not-found page with status 404. */
export function servePages(app: FastifyInstance, deps: PageServerDeps): void {
  app.get('/*', (request, reply) => servePage(app, deps, request, reply))
}

async function servePage(app: FastifyInstance, deps: PageServerDeps, request: FastifyRequest, reply: FastifyReply) {
  const nonce = createNonce()
  const boot = await createBoot(deps, request)
  const key = cacheKey(deps, request, boot)
  const cached = key === null ? undefined : deps.cache.find(key)
  if (cached) return sendPage(deps, request, reply, { html: cached.pieces.join(nonce), status: cached.status, nonce })
  // A cacheable page is rendered for an anonymous visitor, regardless of the request.
  const ctx = key === null ? request.ctx : { ...request.ctx, actor: anonymousActor, userAgent: '' }
  const { signal } = request
  let isComplete = true
  const invoke = createPageCalls(app, {
    ctx,
    signal,
    onFailure: () => {
      isComplete = false
    },
  })
  const render = () =>
    deps.web.render({
      url: boot.origin + request.url,
      boot,
      invoke,
      signedIn: ctx.actor.memberId !== null,
      nonce,
      reference: request.id,
      scripts: deps.web.scripts(),
      signal,
      onError: (error) => signal.aborted || request.log.error({ err: error }, 'page failed'),
    })
  try {
    const queue = ctx.actor.memberId === null ? deps.queues.visitors : deps.queues.members
    const result = await queue.run(ctx.address, signal, render)
    if (result.kind === 'redirect') return reply.redirect(result.to, result.status)
    if (result.status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS)
    if (key !== null && isComplete) deps.cache.set(key, { ...result, nonce })
    return sendPage(deps, request, reply, { ...result, nonce })
  } catch (error) {
    if (error instanceof Overloaded) return sendBusyPage(deps, request, reply)
    // The client disconnected, or a response was already sent.
    if (signal.aborted) return reply.sent ? reply : reply.code(499).send('')
    request.log.error({ err: error }, 'page failed')
    if (isDatabaseUnavailable(error)) reply.code(503).header('retry-after', String(RETRY_AFTER_SECONDS))
    else reply.code(500)
    return sendPlainPage(deps, request, reply, [
      ctx.t('server_error.title'),
      interpolate(ctx.t('server_error.reference'), { code: request.id }),
    ])
  }
}

const isErrorPage = ({ url }: FastifyRequest) => /^\/error(\?|$)/.test(url)

function sendBusyPage(deps: PageServerDeps, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendPlainPage(deps, request, reply.code(503).header('retry-after', '5'), [request.ctx.t('errors.busy')])
}

/** Sends a page without styles and scripts when rendering failed. */
function sendPlainPage(
  { pages }: PageServerDeps,
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

function sendPage(
  { vaultOrigin, formsOrigin, consoleOrigin, development, mapTiles, botCheck, cardProvider }: PageServerDeps,
  { ctx, url }: FastifyRequest,
  reply: FastifyReply,
  page: { html: string; status: number; nonce: string },
): FastifyReply {
  const checkOrigins = botCheck.kind === 'recaptcha' ? [new URL(botCheck.script).origin] : []
  const headers = pageHeaders({
    nonce: page.nonce,
    frames: [vaultOrigin, formsOrigin, ...checkOrigins],
    calls: [new URL(cardProvider.script).origin, ...checkOrigins],
    // Only the console may frame the app, and only for operators.
    framedBy: ctx.actor.operator ? consoleOrigin : null,
    imageOrigins: mapTiles ? [new URL(mapTiles.url).origin] : [],
    development,
  })
  const closed = ctx.flags.authFlags.siteMaintenance && !/^\/((login|join)(\?|$)|staging-tools)/.test(url)
  // Pages of members and editors must not be stored, not even on the same device.
  const isPrivate = ctx.actor.memberId !== null || (ctx.mayPreview && !ctx.program.config.cmsPreview)
  reply.header('cache-control', isPrivate ? 'no-store' : 'no-cache')
  return reply
    .code(closed ? 503 : page.status)
    .headers(headers)
    .type('text/html; charset=utf-8')
    .send(page.html)
}

/**
 * Returns the cache key: the program with its messages, feature flags and restaurants, and the URL. Returns null when
 * the page is personalized (member, operator, known visitor, preview, native app) or contains a request reference, and
 * must not be cached.
 */
function cacheKey(deps: PageServerDeps, request: FastifyRequest, boot: Boot): string | null {
  const { ctx } = request
  if (deps.development || ctx.actor.memberId !== null || boot.known || boot.preview || boot.nativeApp || boot.reference)
    return null
  const { merchantsVersion, clockOffset } = deps
  return [ctx.partnerId, boot.version, merchantsVersion(), clockOffset(), boot.mode ?? 'system', request.url].join(' ')
}

async function createBoot(deps: PageServerDeps, request: FastifyRequest): Promise<Boot> {
  const { ctx } = request
  const { theme, logo, config } = ctx.program
  return {
    config: publicConfig(config),
    flags: ctx.flags,
    messages: ctx.content.shown.catalog,
    version: programVersion(ctx),
    preview: ctx.mayPreview,
    reference: isErrorPage(request) ? request.id : '',
    known: await findKnownVisitor(request),
    mode: modeOf(request),
    logo,
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
    styles: [...deps.web.styles(theme.type), ctx.program.themeHref],
    preloads: [],
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

function nativeAppOf({ stagingTools }: PageServerDeps, { headers, cookies }: FastifyRequest): Boot['nativeApp'] {
  return readNativeApp((stagingTools && cookies[nativeCookie]) || (headers['user-agent'] ?? ''))
}

function modeOf({ cookies }: FastifyRequest): Boot['mode'] {
  return cookies.mode === 'dark' || cookies.mode === 'light' ? cookies.mode : null
}
