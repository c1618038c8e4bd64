import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { sameForAll } from '../../../platform/http/caching.ts'
import type { Ctx } from '../../../platform/http/context.ts'
import { imagePolicy } from '../../../platform/http/csp.ts'
import { problem } from '../../../platform/http/problem.ts'
import { DrawingBusy, drawPng } from '../../../platform/images/draw-png.ts'
import { findMenu } from '../catalog/merchant-page.ts'
import { coverArt, type Subject } from './cover-art.ts'
import { menuArt } from './menu-art.ts'
import { socialImage, socialSize } from './social-image.ts'

const Size = z.strictObject({
  w: z.enum(['200', '500', '600']).default('500').transform(Number),
  r: z.enum(['1.4', '1.6']).default('1.4').transform(Number),
})

export interface ArtDeps {
  /** Returns the subject of a restaurant that has a page. */
  find: (ctx: Ctx, publicId: string) => Promise<Subject | undefined>
  /** Returns the program's own image, as a PNG; used for a restaurant that cannot be drawn. */
  programImage: (ctx: Ctx) => Promise<Uint8Array>
}

/** Images of merchants. */
export function artRoutes(app: FastifyInstance, { find, programImage }: ArtDeps): void {
  app.get<{ Params: { publicId: string } }>('/art/:publicId', sameForAll, async (request, reply) => {
    const size = Size.safeParse(request.query)
    const subject = size.success && (await find(request.ctx, request.params.publicId))
    if (!size.success || !subject) return reply.callNotFound()
    return sendSvg(reply, coverArt(subject, { width: size.data.w, ratio: size.data.r }))
  })
  app.get<{ Params: { publicId: string; index: string } }>(
    '/art/:publicId/menu/:index',
    sameForAll,
    async (request, reply) => {
      const { publicId, index } = request.params
      const found = await findMenu(request.ctx, publicId)
      const section = /^\d{1,2}$/.test(index) ? found?.menus[Number(index)] : undefined
      return found && section ? sendSvg(reply, menuArt(publicId, found.name, section)) : reply.callNotFound()
    },
  )
  app.get<{ Params: { publicId: string } }>('/art/:publicId/social.png', sameForAll, async (request, reply) => {
    const subject = await find(request.ctx, request.params.publicId)
    return subject ? toCurrentImage(reply, socialImage(subject).href) : reply.callNotFound()
  })
  // Drawing is slow, and link previews need only a few images per minute.
  const limited = { config: { ...sameForAll.config, rateLimit: { max: 30, timeWindow: 60_000 } } }
  app.get<{ Params: { publicId: string; file: string } }>(
    '/art/:publicId/social/:file',
    limited,
    async (request, reply) => {
      const { publicId, file } = request.params
      const subject = await find(request.ctx, publicId)
      if (!subject) return reply.callNotFound()
      const image = socialImage(subject)
      if (file !== `${image.version}.png`) return toCurrentImage(reply, image.href)
      return sendSocial(request, reply, { image, publicId, programImage })
    },
  )
}

/** Redirects from an address without a version, or with an earlier one. */
function toCurrentImage(reply: FastifyReply, href: string): FastifyReply {
  return reply.header('cache-control', 'public, max-age=3600').redirect(href, 302)
}

interface Requested extends Pick<ArtDeps, 'programImage'> {
  image: ReturnType<typeof socialImage>
  publicId: string
}

async function sendSocial(
  request: FastifyRequest,
  reply: FastifyReply,
  { image, publicId, programImage }: Requested,
): Promise<FastifyReply> {
  const { svg, version } = image
  const stored = { etag: `"${version}"`, 'cache-control': 'public, max-age=31536000, immutable' }
  if (request.headers['if-none-match'] === stored.etag) return reply.code(304).headers(stored).send()
  try {
    const png = await drawPng(svg, socialSize.width).catch((error) => {
      if (error instanceof DrawingBusy) throw error
      request.log.error({ err: error, merchant: publicId }, 'image not drawn')
      return null
    })
    if (png) return reply.headers(stored).type('image/png').send(Buffer.from(png))
    const own = await programImage(request.ctx)
    return reply.header('cache-control', 'public, max-age=60').type('image/png').send(Buffer.from(own))
  } catch (error) {
    if (!(error instanceof DrawingBusy)) throw error
    return problem(reply.header('retry-after', '5'), 503, 'busy', request.ctx.t('errors.busy'))
  }
}

function sendSvg(reply: FastifyReply, svg: string): FastifyReply {
  return reply
    .headers({
      'cache-control': 'public, max-age=604800',
      'content-security-policy': imagePolicy,
    })
    .type('image/svg+xml')
    .send(svg)
}
