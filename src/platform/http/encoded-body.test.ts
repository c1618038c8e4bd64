import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { acceptedCoding, EncodedBody, sendEncoded, sendOnce } from './encoded-body.ts'

test('the coding with the highest weight is used, and the smallest of equal ones', () => {
  const expected = {
    'gzip, deflate, br, zstd': 'br',
    'gzip, deflate, zstd': 'zstd',
    'gzip, deflate': 'gzip',
    GZIP: 'gzip',
    'br;q=0, gzip': 'gzip',
    'br;q=0.5, gzip;q=0.8': 'gzip',
    'gzip;q=0.5, identity': null,
    '*': 'br',
    '*;q=0.1, br;q=0': 'zstd',
    'zstd, *;q=0': 'zstd',
    'br; q=x': null,
    identity: null,
    deflate: null,
    '': null,
  }
  for (const [header, coding] of Object.entries(expected))
    expect([header, acceptedCoding(header)]).toEqual([header, coding])
  expect(acceptedCoding(undefined)).toBeNull()
})

const text = 'A table for two. '.repeat(200)

async function serve() {
  const body = new EncodedBody(text)
  const app = Fastify()
  app.get('/', (request, reply) => sendEncoded(request, reply, body, 'text/plain; charset=utf-8'))
  return (method: 'GET' | 'HEAD', headers: Record<string, string> = {}) => app.inject({ method, url: '/', headers })
}

test('every coding has the same text and its own ETag', async () => {
  const get = await serve()
  const decode = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync }
  const tags = new Set([(await get('GET')).headers.etag])
  for (const [coding, decompress] of Object.entries(decode)) {
    const { headers, rawPayload } = await get('GET', { 'accept-encoding': coding })
    expect(headers).toMatchObject({ 'content-encoding': coding, vary: 'accept-encoding' })
    expect(headers['content-length']).toBe(String(rawPayload.length))
    expect(decompress(rawPayload).toString()).toBe(text)
    tags.add(headers.etag)
  }
  expect(tags.size).toBe(4)
})

test('the first of many requests gets the quickest coding if it accepts it, and the others the smallest one', async () => {
  const codingOf = async (get: Awaited<ReturnType<typeof serve>>, accepted: string) =>
    (await get('GET', { 'accept-encoding': accepted })).headers['content-encoding']
  const browser = 'gzip, deflate, br, zstd'
  const get = await serve()
  expect([await codingOf(get, browser), await codingOf(get, browser)]).toEqual(['zstd', 'br'])
  expect(await codingOf(await serve(), 'gzip, br')).toBe('br')
  expect(await codingOf(await serve(), 'br, zstd;q=0.9')).toBe('br')
  const { headers } = await get('GET', { 'accept-encoding': 'zstd' })
  const revalidated = await get('GET', { 'accept-encoding': browser, 'if-none-match': String(headers.etag) })
  expect([revalidated.statusCode, revalidated.headers.etag]).toEqual([304, headers.etag])
})

test('a text for one response is compressed quickly', async () => {
  const app = Fastify()
  app.get('/', (request, reply) => sendOnce(request, reply, text, 'text/plain; charset=utf-8'))
  const get = (accepted: string) => app.inject({ url: '/', headers: { 'accept-encoding': accepted } })
  const compressed = await get('gzip, deflate, br, zstd')
  expect(compressed.headers).toMatchObject({ 'content-encoding': 'zstd', vary: 'accept-encoding' })
  expect(zstdDecompressSync(compressed.rawPayload).toString()).toBe(text)
  expect((await get('gzip')).payload).toBe(text)
})

test('a client that has a representation gets 304, and HEAD the headers of GET', async () => {
  const get = await serve()
  const { headers } = await get('GET', { 'accept-encoding': 'br' })
  const tag = String(headers.etag)
  expect(tag).toMatch(/^"[\w-]+"$/)
  for (const tags of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    const same = await get('GET', { 'accept-encoding': 'br', 'if-none-match': tags })
    expect([tags, same.statusCode, same.payload, same.headers.etag]).toEqual([tags, 304, '', tag])
  }
  expect((await get('GET', { 'accept-encoding': 'br', 'if-none-match': '"other"' })).statusCode).toBe(200)
  // The page of an unknown address is sent with its status.
  const app = Fastify()
  app.get('/missing', (request, reply) => sendEncoded(request, reply.code(404), new EncodedBody(text), 'text/plain'))
  const missing = await app.inject({ url: '/missing', headers: { 'accept-encoding': 'br', 'if-none-match': tag } })
  expect([missing.statusCode, missing.rawPayload.length > 0]).toEqual([404, true])
  const head = await get('HEAD', { 'accept-encoding': 'br' })
  const { date: _date, ...expected } = headers
  expect(head.headers).toMatchObject(expected)
  expect(head.payload).toBe('')
})
