import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { coverArt, type Subject } from './cover-art.ts'

const Size = z.strictObject({
  w: z.enum(['200', '500', '600']).default('500').transform(Number),
  r: z.enum(['1.4', '1.6']).default('1.4').transform(Number),
})

/** Pictures of merchants. `find` answers the subject of a public id. */
export function artRoutes(
  app: FastifyInstance,
  find: (publicId: string) => Omit<Subject, 'publicId'> | undefined,
): void {
  app.get<{ Params: { publicId: string } }>('/art/:publicId', (request, reply) => {
    const { publicId } = request.params
    const size = Size.safeParse(request.query)
    const subject = find(publicId)
    if (!size.success || !subject) return reply.code(404).type('text/plain').send('')
    return reply
      .headers({
        'cache-control': 'public, max-age=604800',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      })
      .type('image/svg+xml')
      .send(coverArt({ publicId, ...subject }, { width: size.data.w, ratio: size.data.r }))
  })
}
