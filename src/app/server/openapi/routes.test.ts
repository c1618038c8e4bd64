import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { getCsrf } from '../../../identity/session/contract.ts'
import * as schemas from '../../../identity/session/schemas.ts'
import * as pages from './reference-page.tsx'
import { docsRoutes } from './routes.ts'

/** Creates the documentation routes of an app with one call, and counts how often its calls were read. */
function openDocs() {
  const app = Fastify()
  let reads = 0
  Object.defineProperty(app, 'calls', {
    get() {
      reads++
      return [{ ...getCsrf, ...schemas.getCsrf }]
    },
  })
  docsRoutes(app, { pages })
  return { app, reads: () => reads }
}

test('the API description is generated once and sent with the compression that the client accepts', async () => {
  const { app, reads } = openDocs()
  const fetchDescription = (headers = {}) => app.inject({ url: '/api/openapi.json', headers })
  const plain = await fetchDescription()
  expect(plain.json().paths).toHaveProperty([getCsrf.path])
  const [br, gzip, none] = [
    await fetchDescription({ 'accept-encoding': 'gzip, deflate, br' }),
    await fetchDescription({ 'accept-encoding': 'gzip' }),
    await fetchDescription({ 'accept-encoding': 'br;q=0, identity' }),
  ]
  expect([br, gzip, none].map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip', undefined])
  expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.payload)
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.payload)
  expect(none.payload).toBe(plain.payload)
  expect(reads()).toBe(1)
})

test('the reference shows the example of a request and of its response', async () => {
  const { payload } = await openDocs().app.inject('/api/docs')
  const exampleUnder = (title: string) => new RegExp(`<h3>${title}</h3><pre[^>]*>([^<]*)</pre>`).exec(payload)?.[1]
  expect(exampleUnder('Request')).toBe('GET /api/CSRF')
  expect(exampleUnder('Response')).toMatch(/^200 OK\n.*\n\n\{\n {2}&quot;csrfToken&quot;: /s)
})

test('a client that already has the description gets 304', async () => {
  const { app, reads } = openDocs()
  for (const url of ['/api/openapi.json', '/api/docs']) {
    const { headers } = await app.inject(url)
    const again = await app.inject({ url, headers: { 'if-none-match': String(headers.etag) } })
    expect([url, again.statusCode, again.payload]).toEqual([url, 304, ''])
    expect((await app.inject({ url, headers: { 'if-none-match': '"other"' } })).statusCode).toBe(200)
  }
  expect(reads()).toBe(2)
})
