import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { ApiError } from '../errors.ts'
import { fieldErrors, registerRoute } from './register-route.ts'

/** Returns the errors of a form with one field, as message keys. */
function errorsOf(schema: z.ZodType, value: unknown): string[] {
  const parsed = z
    .strictObject({ field: schema })
    .safeParse(value === undefined ? {} : { field: value }, { reportInput: true })
  return parsed.success ? [] : fieldErrors(parsed.error).map(({ field, message }) => `${field}: ${message}`)
}

test('VAL-002 VAL-009 VAL-004 a form reports required, minLength, maxLength, min, max, pattern and custom checks', () => {
  const text = z
    .string()
    .min(3, 'validation.min_length|3')
    .max(5, 'validation.max_length|5')
    .regex(/^[a-z]*$/, 'validation.check')
  expect(errorsOf(text, undefined)).toEqual(['field: validation.required'])
  expect(errorsOf(text, 'ab')).toEqual(['field: validation.min_length|3'])
  expect(errorsOf(text, 'abcdef')).toEqual(['field: validation.max_length|5'])
  expect(errorsOf(text, 'ABC')).toEqual(['field: validation.check'])
  const party = z.number().min(1, 'validation.check').max(8, 'reservations.party_size')
  expect(errorsOf(party, 0)).toEqual(['field: validation.check'])
  expect(errorsOf(party, 9)).toEqual(['field: reservations.party_size'])
  const even = z.number().refine((number) => number % 2 === 0, 'validation.check')
  expect(errorsOf(even, 3)).toEqual(['field: validation.check'])
  for (const [schema, right] of [
    [text, 'soup'],
    [party, 4],
    [even, 2],
  ] as const)
    expect(errorsOf(schema, right)).toEqual([])
})

test('VAL-011 an error without a message of its own gets the general message', () => {
  expect(errorsOf(z.string(), 7)).toEqual(['field: validation.check'])
  const unknown = z.strictObject({}).safeParse({ admin: true }, { reportInput: true })
  expect(unknown.success ? [] : fieldErrors(unknown.error)).toEqual([{ field: 'admin', message: 'validation.check' }])
})

test('a response has at most 100 errors, and that of a missing body names no field', () => {
  const errorsIn = (schema: z.ZodType, value: unknown) => {
    const parsed = schema.safeParse(value, { reportInput: true })
    return parsed.success ? [] : fieldErrors(parsed.error)
  }
  const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`)
  const unknown = (count: number) => Object.fromEntries(words(count).map((word) => [word, 1]))
  for (const count of [99, 100]) {
    expect(errorsIn(z.array(z.number()), words(count))).toHaveLength(count)
    expect(errorsIn(z.strictObject({}), unknown(count))).toHaveLength(count)
  }
  expect(errorsIn(z.array(z.number()), words(101))).toHaveLength(100)
  expect(errorsIn(z.strictObject({}), unknown(101))).toHaveLength(100)
  expect(errorsIn(z.strictObject({}), undefined)).toEqual([{ field: '', message: 'validation.check' }])
})

test('a response has the media type of its body: errors are problem documents, invalid fields a list', async () => {
  const app = Fastify()
  app
    .decorate('calls', [])
    .decorate('runCalls', new Map())
    .decorate('isClosed', () => false)
    .decorateRequest('ctx')
  app.addHook('onRequest', async (request) => {
    request.ctx = { actor: { csrfToken: 'token' }, t: (key: string) => key } as never
  })
  const errors = { refused: 400, missing: 404, away: 503 }
  const call = { id: 'order', method: 'POST', path: '/orders', access: 'anyone' } as const
  const schemas = { summary: '', query: z.object({ error: z.string().max(12) }), reply: z.object({ id: z.number() }) }
  registerRoute(
    app,
    call,
    { ...schemas, errors, status: 201 } as never,
    ((_ctx: object, { query }: never) => {
      const { error } = query as { error: string }
      if (error) throw new ApiError(error)
      return { id: 1, secret: 2 }
    }) as never,
  )
  const order = async (error: string, headers = {}) => {
    const response = await app.inject({
      method: 'POST',
      url: `/orders?error=${error}`,
      headers: { 'x-xsrf-token': 'token', ...headers },
    })
    const { 'content-type': type, 'retry-after': retryAfter } = response.headers
    return [
      response.statusCode,
      `${type}`.split(';')[0],
      response.json().code ?? response.json(),
      ...(retryAfter ? [retryAfter] : []),
    ]
  }
  const problemType = 'application/problem+json'
  expect(await order('')).toEqual([201, 'application/json', { id: 1 }])
  expect(await order('refused')).toEqual([400, problemType, 'refused'])
  expect(await order('missing')).toEqual([404, problemType, 'missing'])
  // Every call may find that its account was deleted meanwhile.
  expect(await order('unauthorized')).toEqual([401, problemType, 'unauthorized'])
  expect(await order('away')).toEqual([503, problemType, 'away', '5'])
  expect(await order('x'.repeat(13))).toEqual([
    400,
    'application/json',
    [{ field: 'error', message: 'validation.check' }],
  ])
  expect(await order('', { 'x-xsrf-token': 'other' })).toEqual([403, problemType, 'csrf'])
  for (const site of ['cross-site', 'same-site'])
    expect(await order('', { 'sec-fetch-site': site })).toEqual([403, problemType, 'crossSite'])
  expect(await order('', { 'sec-fetch-site': 'same-origin' })).toEqual([201, 'application/json', { id: 1 }])
})

test('a reader who goes away while a file is sent is no error', async () => {
  const failed: unknown[] = []
  const app = Fastify()
  app
    .decorate('calls', [])
    .decorate('runCalls', new Map())
    .decorate('isClosed', () => false)
    .decorateRequest('ctx')
    .setErrorHandler((error) => void failed.push(error))
  app.addHook('onRequest', async (request) => {
    request.ctx = { actor: {}, t: (key: string) => key } as never
  })
  async function* lines() {
    for (;;) {
      yield 'a line\r\n'
      await setTimeout(1)
    }
  }
  const call = { id: 'file', method: 'GET', path: '/file.csv', access: 'anyone' } as const
  registerRoute(
    app,
    call,
    { summary: '', reply: z.any() } as never,
    ((_ctx: object, _input: object, { reply }: never) =>
      (reply as { send: (body: Readable) => unknown }).send(Readable.from(lines()))) as never,
  )
  await app.listen()
  const { port } = app.server.address() as AddressInfo
  const reader = connect(port, '127.0.0.1')
  reader.write('GET /file.csv HTTP/1.1\r\nhost: localhost\r\n\r\n')
  await once(reader, 'data')
  reader.resetAndDestroy()
  await setTimeout(200)
  expect(failed).toEqual([])
  await app.close()
})
