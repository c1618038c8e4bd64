import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Ctx } from '../../../platform/http/context.ts'
import * as drawing from '../../../platform/images/draw-png.ts'
import { artRoutes } from './routes.ts'
import { socialImage } from './social-image.ts'

let app: FastifyInstance

beforeEach(async () => {
  app = Fastify()
  app.decorateRequest('ctx', null as unknown as Ctx)
  app.addHook('onRequest', async (request) => {
    request.ctx = { t: (key: string) => key } as Ctx
  })
  artRoutes(app, {
    find: async (_ctx, publicId) => (publicId === subject.publicId ? subject : undefined),
    programImage: async () => Buffer.from('the image of the program'),
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  return app.close()
})

const subject = { publicId: 'corner', name: 'Corner Burgers', cuisine: 'Burgers', neighborhood: 'SoHo' }
const { href } = socialImage(subject)
const social = (headers: Record<string, string> = {}) => app.inject({ url: href, headers })

test('MERCH-016 an image without a version, or with an earlier one, redirects to the current image', async () => {
  for (const url of ['/art/corner/social.png', '/art/corner/social/earlier.png']) {
    const response = await app.inject(url)
    expect([response.statusCode, response.headers.location]).toEqual([302, href])
    expect(response.headers['cache-control']).toBe('public, max-age=3600')
  }
  for (const url of ['/art/unknown/social.png', '/art/unknown/social/earlier.png'])
    expect((await app.inject(url)).statusCode).toBe(404)
})

test('MERCH-016 the image of a version is a PNG that never changes, and a browser that has it gets a 304', async () => {
  const image = await social()
  expect([image.statusCode, image.headers['content-type']]).toEqual([200, 'image/png'])
  expect(image.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(image.rawPayload.subarray(1, 4).toString()).toBe('PNG')
  const again = await social({ 'if-none-match': String(image.headers.etag) })
  expect([again.statusCode, again.payload]).toEqual([304, ''])
})

test('Case 83 the image of the program replaces an image that cannot be drawn, for a minute', async () => {
  vi.spyOn(drawing, 'drawPng').mockRejectedValue(new Error('unreachable'))
  const image = await social()
  expect([image.statusCode, image.payload]).toEqual([200, 'the image of the program'])
  expect(image.headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'public, max-age=60' })
  expect(image.headers).not.toHaveProperty('etag')
})

test('Case 83 when too many images wait, the next request returns 503 with Retry-After', async () => {
  vi.spyOn(drawing, 'drawPng').mockRejectedValue(new drawing.DrawingBusy('full'))
  const rejected = await social()
  expect([rejected.statusCode, rejected.headers['retry-after'], rejected.json().code]).toEqual([503, '5', 'busy'])
})

test('a picture is an SVG of one of three widths and two proportions, which browsers store for a week', async () => {
  for (const [query, size] of [
    ['', 'width="500" height="357"'],
    ['?w=200', 'width="200" height="143"'],
    ['?w=600&r=1.6', 'width="600" height="375"'],
  ]) {
    const image = await app.inject(`/art/corner${query}`)
    expect([image.statusCode, image.headers['content-type']]).toEqual([200, 'image/svg+xml'])
    expect(image.headers['cache-control']).toBe('public, max-age=604800')
    expect(image.headers['content-security-policy']).toContain("default-src 'none'")
    expect(image.payload).toContain(size)
  }
  for (const path of ['corner?w=300', 'corner?r=2', 'corner?w=200&x=1', 'unknown?w=200'])
    expect([path, (await app.inject(`/art/${path}`)).statusCode]).toEqual([path, 404])
})
