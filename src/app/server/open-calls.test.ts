import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { trackOpenCalls } from './open-calls.ts'

test('a call is open until its response begins; pages and event streams are not', async () => {
  const app = Fastify()
  const hasOpenCalls = trackOpenCalls(app)
  const seen: Record<string, boolean> = {}
  app.get('/api/Call', async () => {
    seen.call = hasOpenCalls()
    return ''
  })
  app.get('/*', async () => {
    seen.page = hasOpenCalls()
    return ''
  })
  app.get('/api/Stream', (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200).write('data: 1\n\n')
    seen.stream = hasOpenCalls()
    reply.raw.end()
  })
  for (const url of ['/api/Call', '/a-page', '/api/Stream']) await app.inject(url)
  expect(seen).toEqual({ call: true, page: false, stream: false })
  expect(hasOpenCalls()).toBe(false)
  await app.close()
})
