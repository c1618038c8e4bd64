import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sameForAll } from '../../platform/http/caching.ts'
import { imagePolicy } from '../../platform/http/csp.ts'
import { EncodedBody, sendEncoded } from '../../platform/http/encoded-body.ts'
import { withNamespace } from '../../platform/images/svg-file.ts'
import type { Program } from '../../programs/partners/context.ts'

const forever = 'public, max-age=31536000, immutable'
const svg = 'image/svg+xml'

/** Serves the theme, the logo and the logo mark of the request's partner. */
export function serveBrand(app: FastifyInstance): void {
  app.get('/theme.css', sameForAll, (request, reply) => {
    const { themeHref } = request.ctx.program
    withCacheControl(reply, request.url === themeHref ? forever : 'no-cache')
    return sendEncoded(request, reply, filesOf(request).theme, 'text/css; charset=utf-8')
  })
  app.get('/logo.svg', sameForAll, (request, reply) => {
    const { shownLogo } = request.ctx.program
    const versioned = shownLogo.kind === 'file' && request.url === shownLogo.href
    withCacheControl(reply, versioned ? forever : 'no-cache').header('content-security-policy', imagePolicy)
    return sendEncoded(request, reply, filesOf(request).logo, svg)
  })
  app.get<{ Params: { name: string } }>('/images/:name', sameForAll, (request, reply) => {
    const image = request.ctx.program.images.get(request.params.name)
    if (!image) return reply.callNotFound()
    return withCacheControl(reply, 'public, max-age=86400')
      .header('content-security-policy', imagePolicy)
      .type(image.type)
      .send(image.body)
  })
  app.get('/mark.svg', sameForAll, (request, reply) => {
    withCacheControl(reply, 'public, max-age=3600').header('content-security-policy', imagePolicy)
    return sendEncoded(request, reply, filesOf(request).mark, svg)
  })
}

// By the images of a program, which are the same object in every request of it.
const files = new WeakMap<Program['images'], ReturnType<typeof createFiles>>()

function filesOf({ ctx: { program } }: FastifyRequest): ReturnType<typeof createFiles> {
  const known = files.get(program.images) ?? createFiles(program)
  files.set(program.images, known)
  return known
}

function createFiles({ themeCss, logoSvg, mark }: Program) {
  return {
    theme: new EncodedBody(themeCss),
    logo: new EncodedBody(withNamespace(logoSvg)),
    mark: new EncodedBody(withNamespace(mark)),
  }
}

function withCacheControl(reply: FastifyReply, control: string): FastifyReply {
  return reply.header('cache-control', control)
}
