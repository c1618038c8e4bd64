import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { imagePolicy } from '../../../platform/http/csp.ts'
import { problem } from '../../../platform/http/problem.ts'
import { bandsPng } from '../../../platform/images/bands-png.ts'
import { DrawingBusy, drawPng, pngVersion } from '../../../platform/images/draw-png.ts'
import { findMenu } from '../catalog/merchant-page.ts'
import { coverArt, coverColors, type Subject } from './cover-art.ts'
import { menuArt } from './menu-art.ts'

const Size = z.strictObject({
  w: z.enum(['200', '500', '600']).default('500').transform(Number),
  r: z.enum(['1.4', '1.6']).default('1.4').transform(Number),
})

/** Preview image for social networks: 1200 by 630 pixels, PNG, because they do not accept SVG. */
const social = { width: 1200, ratio: 1200 / 630 }

/** Images of merchants. `find` returns the subject of a public id. */
export function artRoutes(
  app: FastifyInstance,
  find: (publicId: string) => Omit<Subject, 'publicId'> | undefined,
): void {
  app.get<{ Params: { publicId: string } }>('/art/:publicId', (request, reply) => {
    const { publicId } = request.params
    const size = Size.safeParse(request.query)
    const subject = find(publicId)
    if (!size.success || !subject) return reply.callNotFound()
    return sendSvg(reply, coverArt({ publicId, ...subject }, { width: size.data.w, ratio: size.data.r }))
  })
  app.get<{ Params: { publicId: string; index: string } }>('/art/:publicId/menu/:index', async (request, reply) => {
    const { publicId, index } = request.params
    const found = await findMenu(request.ctx, publicId)
    const section = /^\d{1,2}$/.test(index) ? found?.menus[Number(index)] : undefined
    return found && section ? sendSvg(reply, menuArt(publicId, found.name, section)) : reply.callNotFound()
  })
  // Drawing is slow, and link previews need only a few images per minute.
  const limit = { config: { rateLimit: { max: 30, timeWindow: 60_000 } } }
  app.get<{ Params: { publicId: string } }>('/art/:publicId/social.png', limit, async (request, reply) => {
    const { publicId } = request.params
    const subject = find(publicId)
    if (!subject) return reply.callNotFound()
    return sendSocial(request, reply, { publicId, ...subject })
  })
}

async function sendSocial(request: FastifyRequest, reply: FastifyReply, subject: Subject): Promise<FastifyReply> {
  const svg = coverArt(subject, social)
  const etag = `"${pngVersion(svg, social.width)}"`
  const week = 'public, max-age=604800'
  if (request.headers['if-none-match'] === etag) {
    return reply.code(304).headers({ etag, 'cache-control': week }).send()
  }
  try {
    const png = await drawPng(svg, social.width)
    return reply.headers({ etag, 'cache-control': week }).type('image/png').send(Buffer.from(png))
  } catch (error) {
    if (error instanceof DrawingBusy)
      return problem(reply.header('retry-after', '5'), 503, 'busy', request.ctx.t('errors.busy'))
    request.log.error({ err: error, merchant: subject.publicId }, 'image not drawn')
    const height = Math.round(social.width / social.ratio)
    const plain = bandsPng({ width: social.width, height, edge: Math.round(height * 0.6), ...coverColors(subject) })
    return reply.header('cache-control', 'public, max-age=60').type('image/png').send(plain)
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
