import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { registerRoute } from '../../platform/http/register-route.ts'
import { collections } from './collections.ts'
import type { ContentCache } from './content-cache.ts'
import { contentCallAt, type Entry, getContent, getProgramVersion } from './contract.ts'
import { type IssuedPass, previewTtlMs, readPreviewPass } from './preview.ts'
import { programVersion } from './program-version.ts'
import * as schemas from './schemas.ts'

export interface ContentRoutesDeps {
  /** Additional routes that serve the content of some programs. */
  ownRoutes: readonly string[]
  previewKey: Buffer
  cache: Pick<ContentCache, 'refresh'>
  cookies: { scheme: 'http' | 'https' }
}

const previewCookies = { https: '__Host-preview', http: 'preview' } as const

export function contentRoutes(
  app: FastifyInstance,
  { ownRoutes, previewKey, cache, cookies }: ContentRoutesDeps,
): void {
  registerRoute(app, getContent, schemas.getContent, (ctx, { params, query }) => ({
    data: entriesOf(ctx, params, query),
  }))
  for (const route of ownRoutes) {
    registerRoute(
      app,
      { ...contentCallAt(route), id: `getContent${route.replaceAll('/', '_')}` },
      schemas.getContent,
      (ctx, input) => {
        if (ctx.program.config.cmsRoute !== route) throw new ApiError('contentNotFound')
        return { data: entriesOf(ctx, input.params, input.query) }
      },
    )
  }
  registerRoute(app, getProgramVersion, schemas.getProgramVersion, (ctx, _input, { reply }) => {
    reply.header('cache-control', 'no-store')
    return { version: programVersion(ctx) }
  })
  // The studio sends editors here with a pass in the URL; a cookie replaces it.
  app.get('/preview', async (request, reply) => {
    const parsed = PreviewQuery.safeParse(request.query)
    const pass = parsed.data && readPreviewPass(previewKey, request.ctx.partnerId, parsed.data.pass)
    if (!parsed.success || !pass) return reply.redirect('/not_found')
    // Includes drafts saved just now, whose notification may not have arrived.
    await cache.refresh(request.ctx.partnerId)
    reply.setCookie(previewCookies[cookies.scheme], parsed.data.pass, {
      path: '/',
      httpOnly: true,
      secure: cookies.scheme === 'https',
      sameSite: 'lax',
      maxAge: previewTtlMs / 1000,
    })
    return reply.header('cache-control', 'no-store').redirect(parsed.data.to)
  })
  app.get('/preview/leave', async (request, reply) => {
    const back = PagePath.safeParse((request.query as { to?: unknown }).to)
    reply.clearCookie(previewCookies[cookies.scheme], { path: '/', secure: cookies.scheme === 'https' })
    return reply.header('cache-control', 'no-store').redirect(back.success ? back.data : '/')
  })
}

/** A path of this site and nothing else. */
const PagePath = z.string().regex(/^\/(?![/\\])[^\s\\]*$/)
const PreviewQuery = z.strictObject({ pass: z.string().max(1000), to: PagePath.default('/') })

/** Returns a request's pass for this program's drafts. The caller must check that the editor may still preview. */
export function previewPassOf(
  cookies: Record<string, string | undefined>,
  options: { previewKey: Buffer; scheme: 'http' | 'https'; partnerId: string },
): IssuedPass | null {
  const pass = cookies[previewCookies[options.scheme]]
  return pass === undefined ? null : readPreviewPass(options.previewKey, options.partnerId, pass)
}

function entriesOf(
  ctx: Ctx,
  { contentType, contentName }: { contentType: string; contentName: string },
  { page_size, preview }: { page_size: number; preview?: '0' | '1' | undefined },
): Entry[] {
  if (preview === '1' && !ctx.mayPreview) throw new ApiError('previewNotAllowed')
  if (contentType !== 'pages' || !Object.hasOwn(collections, contentName)) throw new ApiError('contentNotFound')
  const seen = preview === '1' ? ctx.content.drafts : ctx.content.live
  return (seen.collections[contentName] ?? []).slice(0, page_size)
}
