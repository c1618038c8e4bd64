import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { programVersion } from '../../content/program-version.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Send } from '../../kit/web/api.ts'
import { PublicId } from '../../members/contract.ts'
import { readKnownMember } from '../../members/service.ts'
import { publicConfig } from '../../partners/rules.ts'
import type { Theme } from '../../partners/theme.ts'
import { nativeAppOf as readNativeApp } from '../../pwa/rules.ts'
import { nativeCookie } from '../../staging/rules.ts'
import { publicIdCookie } from '../../tracking/rules.ts'
import type { Boot } from '../web/boot.ts'
import type { RenderRequest, RenderResult } from '../web/entry.server.tsx'
import type { PageCache } from './page-cache.ts'
import { pageHeaders } from './page-headers.ts'

/** The built (or, in development, the live) web code. */
export interface WebCode {
  render(request: RenderRequest): Promise<RenderResult>
  scripts(): RenderRequest['scripts']
  /** What every page of a theme links: its fonts, then the app's own. */
  styles(type: Theme['type']): string[]
}

export interface PageParts {
  web: WebCode
  vaultOrigin: string
  formsOrigin: string
  stagingTools: boolean
  scheme: 'http' | 'https'
  development: boolean
  adTagUrl: string | null
  consoleOrigin: string
  botCheck: Boot['botCheck']
  cardProvider: Boot['cardProvider']
  mapTiles: Boot['mapTiles']
  worksOffline: boolean
  cache: PageCache
  /** Changes with every restaurant. */
  merchantsVersion: () => number
}

/** Serves every page of every program; an address that no route has answers 404 with the not-found page. */
export function servePages(app: FastifyInstance, parts: PageParts): void {
  app.get('/*', (request, reply) => servePage(app, parts, request, reply))
}

async function servePage(app: FastifyInstance, parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const { ctx } = request
  const nonce = randomBytes(16).toString('base64')
  const boot = await bootOf(parts, request)
  const key = cacheKey(parts, request, boot)
  const kept = key === null ? undefined : parts.cache.find(key)
  if (kept) return sendPage(parts, request, reply, { html: kept.pieces.join(nonce), status: kept.status, nonce })
  const stop = new AbortController()
  const result = await parts.web.render({
    url: new URL(request.url, `${parts.scheme}://${request.host}`).href,
    boot,
    send: sendInto(app, request),
    csrfToken: ctx.actor.csrfToken,
    signedIn: ctx.actor.memberId !== null,
    nonce,
    scripts: parts.web.scripts(),
    signal: stop.signal,
    onError: (error) => request.log.error({ err: error }, 'page failed'),
  })
  if (result.kind === 'redirect') return reply.redirect(result.to, result.status)
  const { html, status } = result
  if (key !== null) parts.cache.keep(key, { html, status, nonce })
  return sendPage(parts, request, reply, { html, status, nonce })
}

function sendPage(
  { vaultOrigin, formsOrigin, consoleOrigin, scheme, development, mapTiles, botCheck, cardProvider }: PageParts,
  { ctx, url }: FastifyRequest,
  reply: FastifyReply,
  { html, status, nonce }: { html: string; status: number; nonce: string },
): FastifyReply {
  const checkOrigins = botCheck.kind === 'recaptcha' ? [new URL(botCheck.script).origin] : []
  const headers = pageHeaders({
    nonce,
    frames: [vaultOrigin, formsOrigin, ...checkOrigins],
    calls: [new URL(cardProvider.script).origin, ...checkOrigins],
    // The console shows the app to operators; nobody else, and nobody else's page, does.
    framedBy: ctx.actor.operator ? consoleOrigin : null,
    pictures: mapTiles ? [new URL(mapTiles.url).origin] : [],
    scheme,
    development,
  })
  const closed = ctx.flags.authFlags.siteMaintenance && !/^\/(login|join)(\?|$)/.test(url)
  // What a member or an editor sees is for nobody else, also not later on the same device.
  const isPrivate = ctx.actor.memberId !== null || (ctx.mayPreview && !ctx.program.config.cmsPreview)
  reply.header('cache-control', isPrivate ? 'no-store' : 'no-cache')
  return reply
    .code(closed ? 503 : status)
    .headers(headers)
    .type('text/html; charset=utf-8')
    .send(html)
}

/**
 * Under which a page is the same for everybody: the program with all its words, switches and restaurants, and the
 * address. Null for whoever is somebody, or sees what others do not.
 */
function cacheKey(parts: PageParts, { ctx, url, host }: FastifyRequest, boot: Boot): string | null {
  if (parts.development || ctx.actor.memberId !== null || boot.known || boot.preview || boot.nativeApp) return null
  return [host, boot.version, parts.merchantsVersion(), boot.mode ?? 'system', url].join(' ')
}

async function bootOf(parts: PageParts, request: FastifyRequest): Promise<Boot> {
  const { ctx } = request
  const { theme, logo, config } = ctx.program
  return {
    config: publicConfig(config),
    flags: ctx.flags,
    wording: ctx.content.shown.wording,
    version: programVersion(ctx),
    preview: ctx.mayPreview,
    known: await knownVisitor(request),
    mode: modeOf(request),
    logo,
    origin: `${parts.scheme}://${request.host}`,
    apiBase: '',
    vaultOrigin: parts.vaultOrigin,
    formsOrigin: parts.formsOrigin,
    stagingTools: parts.stagingTools,
    adTagUrl: parts.adTagUrl,
    mapTiles: parts.mapTiles,
    nativeApp: nativeAppOf(parts, request),
    botCheck: parts.botCheck,
    cardProvider: parts.cardProvider,
    consoleOrigin: parts.consoleOrigin,
    operator: ctx.actor.operator && { name: ctx.actor.operator.name, mayChange: ctx.actor.operator.mayChange },
    worksOffline: parts.worksOffline,
    styles: [...parts.web.styles(theme.type), ctx.program.themeHref],
    preloads: [],
    themeColor: { light: theme.colors.light.ground, dark: theme.colors.dark.ground },
  }
}

/** Who an invitation was for: by the public id in the address, else the one that an earlier address left behind. */
async function knownVisitor({ ctx, query, cookies }: FastifyRequest): Promise<Boot['known']> {
  if (ctx.actor.memberId !== null) return null
  const id = PublicId.safeParse((query as { publicId?: unknown }).publicId ?? cookies[publicIdCookie])
  if (!id.success) return null
  return readKnownMember(ctx.db, ctx, id.data).catch((error) => {
    if (error instanceof Refusal) return null
    throw error
  })
}

function nativeAppOf({ stagingTools }: PageParts, { headers, cookies }: FastifyRequest): Boot['nativeApp'] {
  return readNativeApp((stagingTools && cookies[nativeCookie]) || (headers['user-agent'] ?? ''))
}

function modeOf({ cookies }: FastifyRequest): Boot['mode'] {
  return cookies.mode === 'dark' || cookies.mode === 'light' ? cookies.mode : null
}

// Pages ask the same API as browsers do, without the network: validation and access exist once.
function sendInto(app: FastifyInstance, request: FastifyRequest): Send {
  return async ({ method, path, headers, body }) => {
    const answer = await app.inject({
      method: method as 'GET',
      url: path,
      headers: {
        ...headers,
        host: request.headers.host,
        ...(request.headers.cookie && { cookie: request.headers.cookie }),
      },
      remoteAddress: request.ip,
      ...(body !== undefined && { payload: body }),
    })
    return { status: answer.statusCode, body: answer.payload === '' ? null : answer.json() }
  }
}
