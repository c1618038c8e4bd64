import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BrowserCsrf, createBrowserApi } from './browser-api.ts'

beforeEach(() => {
  vi.useFakeTimers()
  const stored = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
  vi.stubGlobal('window', { dispatchEvent: vi.fn() })
})
afterEach(() => vi.useRealTimers())

test('ERR-002 a token that arrives after failed attempts stays, also when their time is over', async () => {
  const send = vi.fn(async () => ({ status: 503, body: null }) as never)
  const csrf = new BrowserCsrf(send)
  const first = csrf.prefetch()
  await vi.advanceTimersByTimeAsync(32_000)
  expect(await first).toBeNull()
  send.mockImplementation(async () => ({ status: 200, body: { csrfToken: 'real' } }) as never)
  expect(await csrf.token()).toBe('real')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await csrf.token()).toBe('real')
})

test('ERR-001 ERR-002 without a token for 35 seconds nothing is sent, until a real one replaces the placeholder', async () => {
  const send = vi.fn(async (_request: { path: string }) => ({ status: 503, body: null }) as never)
  const csrf = new BrowserCsrf(send)
  void csrf.prefetch()
  await vi.advanceTimersByTimeAsync(35_000)
  const attempts = send.mock.calls.length
  // Only the token is requested again, so that the next attempt has one.
  expect([await csrf.token(), send.mock.calls.length]).toEqual([null, attempts + 1])
  expect(send.mock.calls.every(([{ path }]) => path === '/api/CSRF')).toBe(true)
  csrf.renew('real')
  expect(await csrf.token()).toBe('real')
})

test('API-003 the base in the data of the page stands before every call, and a name in the window has no effect', async () => {
  const fetched: string[] = []
  vi.stubGlobal('window', { dispatchEvent: vi.fn(), __APP__: { apiBase: 'https://elsewhere.example' } })
  vi.stubGlobal('fetch', async (address: string) => {
    fetched.push(address)
    return Response.json({ csrfToken: 'real' })
  })
  const call = { id: 'ask', method: 'POST', path: '/api/ask', access: 'anyone' } as never
  for (const base of ['', 'https://api.example']) await createBrowserApi(base).api.call(call, { body: {} } as never)
  expect(fetched).toEqual(['/api/CSRF', '/api/ask', 'https://api.example/api/ask'])
})
