import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BrowserCsrf } from './browser-api.ts'

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
  const send = vi.fn(async () => ({ status: 503, body: null }) as never)
  const csrf = new BrowserCsrf(send)
  void csrf.prefetch()
  await vi.advanceTimersByTimeAsync(35_000)
  const attempts = send.mock.calls.length
  expect([await csrf.token(), send.mock.calls.length]).toEqual([null, attempts])
  csrf.renew('real')
  expect(await csrf.token()).toBe('real')
})
