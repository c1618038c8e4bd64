import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Ctx } from '../../../platform/http/context.ts'
import * as drawing from '../../../platform/images/draw-png.ts'
import { artRoutes } from './routes.ts'

let app: FastifyInstance

beforeEach(async () => {
  app = Fastify()
  app.decorateRequest('ctx', null as unknown as Ctx)
  app.addHook('onRequest', async (request) => {
    request.ctx = { t: (key: string) => key } as Ctx
  })
  const names = new Map([['corner', 'Corner Burgers']])
  artRoutes(app, (publicId) => {
    const name = names.get(publicId)
    return name === undefined ? undefined : { name, cuisine: 'Burgers', neighborhood: 'SoHo' }
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  return app.close()
})

const social = (headers: Record<string, string> = {}) => app.inject({ url: '/art/corner/social.png', headers })

test('the social image is a PNG with an ETag, and a browser that has it gets a 304', async () => {
  const image = await social()
  expect([image.statusCode, image.headers['content-type']]).toEqual([200, 'image/png'])
  expect(image.rawPayload.subarray(1, 4).toString()).toBe('PNG')
  const again = await social({ 'if-none-match': String(image.headers.etag) })
  expect([again.statusCode, again.payload]).toEqual([304, ''])
  expect((await app.inject('/art/unknown/social.png')).statusCode).toBe(404)
})

test('Case 83 two bands of color replace an image that cannot be drawn, for a minute', async () => {
  vi.spyOn(drawing, 'drawPng').mockRejectedValue(new Error('unreachable'))
  const image = await social()
  expect(image.statusCode).toBe(200)
  expect(image.headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'public, max-age=60' })
  expect(image.headers).not.toHaveProperty('etag')
  const bytes = image.rawPayload
  expect([bytes.subarray(1, 4).toString(), bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual(['PNG', 1200, 630])
})

test('Case 83 when too many images wait, the next request returns 503 with Retry-After', async () => {
  vi.spyOn(drawing, 'drawPng').mockRejectedValue(new drawing.DrawingBusy('full'))
  const rejected = await social()
  expect([rejected.statusCode, rejected.headers['retry-after'], rejected.json().code]).toEqual([503, '5', 'busy'])
})
