import type { FastifyInstance, FastifyReply } from 'fastify'
import { imagePolicy } from '../../platform/http/csp.ts'

const forever = 'public, max-age=31536000, immutable'

/** Serves the theme and the logo mark of the request's partner. */
export function serveBrand(app: FastifyInstance): void {
  app.get('/theme.css', (request, reply) => {
    const { themeCss, themeHref } = request.ctx.program
    const versioned = request.url === themeHref
    return withCacheControl(reply, versioned ? forever : 'no-cache')
      .type('text/css; charset=utf-8')
      .send(themeCss)
  })
  app.get<{ Params: { name: string } }>('/images/:name', (request, reply) => {
    const image = request.ctx.program.images.get(request.params.name)
    if (!image) return reply.callNotFound()
    return withCacheControl(reply, 'public, max-age=86400')
      .header('content-security-policy', imagePolicy)
      .type(image.type)
      .send(image.body)
  })
  app.get('/mark.svg', (request, reply) =>
    withCacheControl(reply, 'public, max-age=3600')
      .header('content-security-policy', imagePolicy)
      .type('image/svg+xml')
      .send(withNamespace(request.ctx.program.mark)),
  )
}

function withCacheControl(reply: FastifyReply, control: string): FastifyReply {
  return reply.header('cache-control', control)
}

/** Adds the namespace that an SVG file requires; inline SVG needs none. */
export function withNamespace(svg: string): string {
  return svg.includes('xmlns=') ? svg : svg.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"')
}
