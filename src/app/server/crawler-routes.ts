import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sameForAll } from '../../platform/http/caching.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { EncodedBody, sendEncoded } from '../../platform/http/encoded-body.ts'
import { memberPaths } from '../../programs/partners/rules.ts'
import type { Sitemaps } from './sitemap.ts'

export interface CrawlerDeps {
  sitemaps: Sitemaps
  /** Returns the origin of a program's pages. */
  origin: (partnerId: string) => string
}

/** Serves robots.txt (RFC 9309) and the sitemaps of a program. */
export function crawlerRoutes(app: FastifyInstance, { sitemaps, origin }: CrawlerDeps): void {
  app.get('/robots.txt', sameForAll, (request, reply) => {
    const body = new EncodedBody(robots(request.ctx, origin(request.ctx.partnerId)))
    return sendEncoded(request, cached(reply), body, 'text/plain; charset=utf-8')
  })
  app.get('/sitemap.xml', sameForAll, (request, reply) => sendSitemap(request, reply, null))
  app.get<{ Params: { file: string } }>('/sitemap/:file', sameForAll, (request, reply) => {
    const number = /^([1-9]\d{0,4})\.xml$/.exec(request.params.file)?.[1]
    return number === undefined ? reply.callNotFound() : sendSitemap(request, reply, Number(number) - 1)
  })

  async function sendSitemap(request: FastifyRequest, reply: FastifyReply, file: number | null) {
    const body = await sitemaps.find(request.ctx, file)
    if (!body) return reply.callNotFound()
    return sendEncoded(request, cached(reply), body, 'application/xml; charset=utf-8')
  }
}

const cached = (reply: FastifyReply) => reply.header('cache-control', 'public, max-age=3600')

/** Sign-in links name the page to return to: each would be one more address. */
const actions = ['/Login', '/login?', '/join?', '/recover?', '/SignOut', '/Emulate']

function robots({ program }: Ctx, site: string): string {
  const { cmsRoute } = program.config
  const paths = [
    '/api/',
    ...(cmsRoute.startsWith('/api/') ? [] : [`${cmsRoute}/`]),
    ...memberPaths.flatMap((path) => [`${path}$`, `${path}/`, `${path}?`]),
    ...actions,
  ]
  return ['User-agent: *', ...paths.map((path) => `Disallow: ${path}`), '', `Sitemap: ${site}/sitemap.xml`, ''].join(
    '\n',
  )
}
