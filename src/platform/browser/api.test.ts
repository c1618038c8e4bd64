import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { defineCall, defineSchemas } from '../call.ts'
import { type ApiCallError, createApi, type Send } from './api.ts'
import { BrowserCsrf, createBrowserApi, placeholderToken, sessionMissing, tokenMissing } from './browser-api.ts'

const schemas = {
  read: defineSchemas({ summary: '', reply: z.any() }),
  write: defineSchemas({ summary: '', body: z.object({ name: z.string() }), reply: z.any() }),
}
const read = defineCall<typeof schemas.read>()({ id: 'read', method: 'GET', path: '/api/Things', access: 'anyone' })
const write = defineCall<typeof schemas.write>()({ id: 'write', method: 'POST', path: '/api/Things', access: 'anyone' })

type Request = Parameters<Send>[0]

/** Returns a client whose server returns these responses in order. */
function client(...responses: { status: number; body?: unknown }[]) {
  const sent: Request[] = []
  const send: Send = async (request) => {
    sent.push(request)
    const response = responses.shift() ?? { status: 200 }
    return { status: response.status, body: response.body ?? null }
  }
  const tokens = ['first', 'second']
  const csrf = { token: async () => tokens[0] ?? null, refresh: async () => tokens[1] ?? null }
  return { sent, api: createApi(send, csrf) }
}

const failure = async (work: Promise<unknown>): Promise<ApiCallError> =>
  work.then(
    () => Promise.reject(),
    (error) => error,
  )

describe('API calls', () => {
  test('API-001 API-002 a call accepts JSON, and a mutating call sends the CSRF token', async () => {
    const { api, sent } = client()
    await api.call(read, {})
    await api.call(write, { body: { name: 'soup' } })
    expect(sent[0]?.headers).toEqual({ accept: 'application/json' })
    expect(sent[1]?.headers).toEqual({
      accept: 'application/json',
      'content-type': 'application/json',
      'x-xsrf-token': 'first',
    })
    expect(sent[1]?.body).toBe('{"name":"soup"}')
  })

  test('API-001 a call sends credentials to its own origin only, and uses the base URL that the page sets', async () => {
    const requests: [string, RequestInit][] = []
    vi.stubGlobal('sessionStorage', { getItem: () => 'stored', setItem() {} })
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      requests.push([url, init])
      return Response.json({}, { headers: { 'program-version': 'v2' } })
    })
    const versions: string[] = []
    const { api } = createBrowserApi('https://api.example', { onVersion: (version) => versions.push(version) })
    await api.call(write, { body: { name: 'x' } })
    expect(requests[0]?.[0]).toBe('https://api.example/api/Things')
    expect(requests[0]?.[1].credentials).toBe('same-origin')
    expect(versions).toEqual(['v2'])
    vi.unstubAllGlobals()
  })

  test('a call has the headers of every request besides its own, and a response without a version reports none', async () => {
    const sent: unknown[] = []
    vi.stubGlobal('fetch', async (_url: string, { headers }: RequestInit) => {
      sent.push(headers)
      return Response.json({})
    })
    const onVersion = vi.fn()
    const { api } = createBrowserApi('', { headers: { 'x-app': '2.0.0' }, onVersion })
    await api.call(read, {}, { headers: { 'x-once': 'a' } })
    expect(sent).toEqual([{ accept: 'application/json', 'x-app': '2.0.0', 'x-once': 'a' }])
    expect(onVersion).not.toHaveBeenCalled()
    vi.unstubAllGlobals()
  })

  test('a response that is no JSON is a failure with its status, and none at all has the status 0', async () => {
    vi.stubGlobal('fetch', async () => new Response('<html>', { status: 502 }))
    const { api } = createBrowserApi('')
    expect(await failure(api.call(read, {}))).toMatchObject({ status: 502, code: 'unknown' })
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no connection')))
    expect(await failure(api.call(read, {}))).toMatchObject({ status: 0, code: 'offline' })
    vi.unstubAllGlobals()
  })

  test('a call that needs a member is reported with its path when nobody is signed in, and a wrong password is not', async () => {
    const reported: string[] = []
    vi.stubGlobal('window', {
      dispatchEvent: ({ type, detail }: CustomEvent) => void reported.push(`${type} ${detail}`),
    })
    const codes = ['invalidLogin', 'unauthorized']
    vi.stubGlobal('fetch', async () => {
      const code = codes.shift()
      return Response.json({ type: `urn:x:${code}`, title: '', status: 401, code, reference: '' }, { status: 401 })
    })
    const { api } = createBrowserApi('https://api.example')
    expect((await failure(api.call(read, {}))).code).toBe('invalidLogin')
    expect(reported).toEqual([])
    expect((await failure(api.call(read, {}))).code).toBe('unauthorized')
    expect(reported).toEqual([`${sessionMissing} /api/Things`])
    vi.unstubAllGlobals()
  })

  test('ERR-003 ERR-004 ERR-006 API-030 each status maps to its outcome: a result, field errors, Unauthorized, or an error with its code', async () => {
    const problem = (status: number, code: string) => ({
      status,
      body: { type: `urn:x:${code}`, title: `title ${status}`, status, code, reference: 'r-1' },
    })
    for (const status of [200, 202, 303]) {
      expect(await client({ status, body: { isValid: true } }).api.call(read, {})).toEqual({ isValid: true })
    }
    const fields = await failure(
      client({ status: 400, body: [{ field: 'email', message: 'wrong' }] }).api.call(write, { body: { name: 'x' } }),
    )
    expect([fields.status, fields.fields]).toEqual([400, [{ field: 'email', message: 'wrong' }]])
    const unauthorized = await failure(client(problem(401, 'unauthorized')).api.call(read, {}))
    expect([unauthorized.name, unauthorized.status]).toEqual(['Unauthorized', 401])
    for (const [status, code] of [
      [403, 'locked'],
      [429, 'tooMany'],
      [500, 'serverError'],
    ] as const) {
      const error = await failure(client(problem(status, code)).api.call(read, {}))
      expect([error.status, error.code, error.title, error.reference]).toEqual([status, code, `title ${status}`, 'r-1'])
    }
  })

  test('API-014 API-015 a readable redirect is a result, and any other status is an error', async () => {
    expect(await client({ status: 303, body: { isValid: true } }).api.call(read, {})).toEqual({ isValid: true })
    expect((await failure(client({ status: 500 }).api.call(read, {}))).status).toBe(500)
  })

  test('a failure whose body is no problem document has the code unknown and no text', async () => {
    const whole = { type: 'urn:x:y', title: 'A title', status: 502, code: 'y', reference: 'r-1' }
    for (const body of [
      '<html>',
      null,
      { ...whole, title: undefined },
      { ...whole, status: '502' },
      [{ field: 'x' }],
    ]) {
      const { status, code, title, fields } = await failure(client({ status: 502, body }).api.call(read, {}))
      expect([body, status, code, title, fields]).toEqual([body, 502, 'unknown', '', []])
    }
    expect(await failure(client({ status: 502, body: whole }).api.call(read, {}))).toMatchObject({
      code: 'y',
      title: 'A title',
      detail: {},
    })
  })

  test('a call whose session has ended is retried once with the token of the next session', async () => {
    const body = { type: 'urn:x:csrf', title: 'Forbidden', status: 403, code: 'csrf', reference: 'r-1' }
    const over = { status: 403, body }
    const { api, sent } = client(over, { status: 200, body: 'done' })
    expect(await api.call(write, { body: { name: 'x' } })).toBe('done')
    expect(sent.map(({ headers }) => headers['x-xsrf-token'])).toEqual(['first', 'second'])
    const twice = client(over, over)
    expect((await failure(twice.api.call(write, { body: { name: 'x' } }))).code).toBe('csrf')
    expect(twice.sent).toHaveLength(2)
    // Without another token it is not sent again.
    const send = vi.fn(async () => over)
    const signedOut = createApi(send, { token: async () => 'first', refresh: async () => null })
    expect((await failure(signedOut.call(write, { body: { name: 'x' } }))).code).toBe('csrf')
    expect(send).toHaveBeenCalledTimes(1)
  })
})

describe('the CSRF token', () => {
  const stored = new Map<string, string>()
  const events: string[] = []
  beforeEach(() => {
    stored.clear()
    events.length = 0
    vi.useFakeTimers()
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    })
    vi.stubGlobal('window', { dispatchEvent: (event: Event) => void events.push(event.type) })
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  test('API-005 it is fetched once, stored for the session, and fetched again up to five times after errors', async () => {
    const start = Date.now()
    const sentAfter: number[] = []
    const csrf = new BrowserCsrf(async () => {
      sentAfter.push((Date.now() - start) / 1000)
      return sentAfter.length <= 5 ? { status: 500, body: null } : { status: 200, body: { csrfToken: 'there' } }
    })
    const first = Promise.all([csrf.token(), csrf.token()])
    await vi.advanceTimersByTimeAsync(31_000)
    expect(await first).toEqual(['there', 'there'])
    expect([stored.get('csrfToken'), await csrf.token()]).toEqual(['there', 'there'])
    // Each pause is twice as long as the one before.
    expect(sentAfter).toEqual([0, 1, 3, 7, 15, 31])
    // No placeholder replaces it when the time for the request is over.
    await vi.advanceTimersByTimeAsync(60_000)
    expect([stored.get('csrfToken'), await csrf.token(), events]).toEqual(['there', 'there', []])
  })

  test('ERR-001 ERR-002 CONST-002 after 35 seconds without a token a placeholder is stored, which is reported and never sent', async () => {
    const sent: string[] = []
    let isResponding = false
    const send: Send = async ({ path }) => {
      sent.push(path)
      return isResponding ? { status: 200, body: { csrfToken: 'real' } } : new Promise(() => {})
    }
    const csrf = new BrowserCsrf(send)
    void csrf.prefetch()
    await vi.advanceTimersByTimeAsync(34_000)
    expect(stored.has('csrfToken')).toBe(false)
    await vi.advanceTimersByTimeAsync(1_500)
    expect(stored.get('csrfToken')).toBe(placeholderToken)
    const error = await failure(createApi(send, csrf).call(write, { body: { name: 'x' } }))
    expect([error.code, events, sent]).toEqual(['CSRF-0', [tokenMissing], ['/api/CSRF']])
    // A real token replaces it.
    isResponding = true
    csrf.renew('real')
    expect(await csrf.token()).toBe('real')
  })
})
