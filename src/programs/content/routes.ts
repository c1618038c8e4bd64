import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Ctx } from '../../platform/http/context.ts'
import { serve } from '../../platform/http/serve.ts'
import { Refusal } from '../../platform/refusal.ts'
import { collections } from './collections.ts'
import { contentCallAt, type Entry, getContent, getProgramVersion } from './contract.ts'
import { type IssuedPass, previewLasts, readPreviewPass } from './preview.ts'
import { programVersion } from './program-version.ts'
import type { ContentShelf } from './shelf.ts'

export interface ContentRoutesParts {
  /** Additional routes that serve the content of some programs. */
  ownRoutes: readonly string[]
  previewKey: Buffer
  shelf: Pick<ContentShelf, 'refresh'>
  cookies: { scheme: 'http' | 'https' }
}

const previewCookies = { https: '__Host-preview', http: 'preview' } as const

export function contentRoutes(
  app: FastifyInstance,
  { ownRoutes, previewKey, shelf, cookies }: ContentRoutesParts,
): void {
  serve(app, getContent, (ctx, { params, query }) => ({ data: entriesOf(ctx, params, query) }))
  for (const route of ownRoutes) {
    serve(app, { ...contentCallAt(route), id: `getContent${route.replaceAll('/', '_')}` }, (ctx, input) => {
      if (ctx.program.config.cmsRoute !== route) throw new Refusal('contentNotFound')
      return { data: entriesOf(ctx, input.params, input.query) }
    })
  }
  serve(app, getProgramVersion, (ctx, _input, { reply }) => {
    reply.header('cache-control', 'no-store')
    return { version: programVersion(ctx) }
  })
  // The studio sends editors here with a pass in the URL; a cookie replaces it.
  app.get('/preview', async (request, reply) => {
    const asked = PreviewQuery.safeParse(request.query)
    const pass = asked.data && readPreviewPass(previewKey, request.ctx.partnerId, asked.data.pass)
    if (!asked.success || !pass) return reply.redirect('/not_found')
    // Shows what was saved just now, even if its notification has not arrived.
    await shelf.refresh(request.ctx.partnerId)
    reply.setCookie(previewCookies[cookies.scheme], asked.data.pass, {
      path: '/',
      httpOnly: true,
      secure: cookies.scheme === 'https',
      sameSite: 'lax',
      maxAge: previewLasts / 1000,
    })
    return reply.header('cache-control', 'no-store').redirect(asked.data.to)
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
  parts: { previewKey: Buffer; scheme: 'http' | 'https'; partnerId: string },
): IssuedPass | null {
  const pass = cookies[previewCookies[parts.scheme]]
  return pass === undefined ? null : readPreviewPass(parts.previewKey, parts.partnerId, pass)
}

function entriesOf(
  ctx: Ctx,
  { contentType, contentName }: { contentType: string; contentName: string },
  { page_size, preview }: { page_size: number; preview?: '0' | '1' | undefined },
): Entry[] {
  if (preview === '1' && !ctx.mayPreview) throw new Refusal('previewNotAllowed')
  if (contentType !== 'pages' || !Object.hasOwn(collections, contentName)) throw new Refusal('contentNotFound')
  const seen = preview === '1' ? ctx.content.drafts : ctx.content.live
  return (seen.collections[contentName] ?? []).slice(0, page_size)
}
