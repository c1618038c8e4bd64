import { expect, test, vi } from 'vitest'
import { registerWorker } from './register-worker.ts'

/** Registers the worker in a browser; returns what was registered, posted and logged. */
async function register({ controller, fails = false }: { controller: object | null; fails?: boolean }) {
  const events: unknown[] = []
  vi.spyOn(console, 'info').mockImplementation((text) => void events.push(text))
  const serviceWorker = {
    controller,
    ready: Promise.resolve({ active: { postMessage: (message: unknown) => events.push(message) } }),
    register: async (path: string) => {
      events.push(path)
      if (fails) throw new Error('not allowed')
    },
  }
  vi.stubGlobal('navigator', { serviceWorker })
  vi.stubGlobal('location', { pathname: '/search', search: '?q=a' })
  registerWorker()
  for (let turn = 0; turn < 5; turn++) await Promise.resolve()
  return events
}

test('the worker learns which page was open before it, unless it has served this page', async () => {
  expect(await register({ controller: null })).toEqual(['/sw.js', { seen: '/search?q=a' }])
  expect(await register({ controller: {} })).toEqual(['/sw.js'])
})

test('a browser without service workers, or that allows none, has the page without one', async () => {
  expect(await register({ controller: null, fails: true })).toEqual(['/sw.js', 'No service worker: Error: not allowed'])
  vi.stubGlobal('navigator', {})
  expect(registerWorker).not.toThrow()
})
