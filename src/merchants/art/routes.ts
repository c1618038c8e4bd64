import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { drawPng } from '../../kit/server/draw-png.ts'
import { menuOf } from '../service.ts'
import { coverArt, type Subject } from './cover-art.ts'
import { menuArt } from './menu-art.ts'

const Size = z.strictObject({
  w: z.enum(['200', '500', '600']).default('500').transform(Number),
  r: z.enum(['1.4', '1.6']).default('1.4').transform(Number),
})

/** What social networks show beside a link: 1200 by 630 pixels, and no SVG. */
const social = { width: 1200, ratio: 1200 / 630 }

/** Pictures of merchants. `find` answers the subject of a public id. */
export function artRoutes(
  app: FastifyInstance,
  find: (publicId: string) => Omit<Subject, 'publicId'> | undefined,
): void {
  app.get<{ Params: { publicId: string } }>('/art/:publicId', (request, reply) => {
    const { publicId } = request.params
    const size = Size.safeParse(request.query)
    const subject = find(publicId)
    if (!size.success || !subject) return missing(reply)
    return sendSvg(reply, coverArt({ publicId, ...subject }, { width: size.data.w, ratio: size.data.r }))
  })
  app.get<{ Params: { publicId: string; index: string } }>('/art/:publicId/menu/:index', async (request, reply) => {
    const { publicId, index } = request.params
    const found = await menuOf(request.ctx, publicId)
    const section = /^\d{1,2}$/.test(index) ? found?.menus[Number(index)] : undefined
    return found && section ? sendSvg(reply, menuArt(publicId, found.name, section)) : missing(reply)
  })
  // Drawing takes a while: few a minute are enough for those who preview a link.
  const limit = { config: { rateLimit: { max: 30, timeWindow: 60_000 } } }
  app.get<{ Params: { publicId: string } }>('/art/:publicId/social.png', limit, async (request, reply) => {
    const { publicId } = request.params
    const subject = find(publicId)
    if (!subject) return missing(reply)
    const png = await drawPng(coverArt({ publicId, ...subject }, social), social.width)
    return reply.header('cache-control', 'public, max-age=604800').type('image/png').send(Buffer.from(png))
  })
}

function missing(reply: FastifyReply): FastifyReply {
  return reply.code(404).type('text/plain').send('')
}

function sendSvg(reply: FastifyReply, svg: string): FastifyReply {
  return reply
    .headers({
      'cache-control': 'public, max-age=604800',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    })
    .type('image/svg+xml')
    .send(svg)
}
