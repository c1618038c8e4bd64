import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { openWindow, restoreGlobals } from '../support/page-window.ts'

afterAll(restoreGlobals)

test.each([
  ['changed', 'of now of now', (cache) => cache.set(['member'], 'of now')],
  ['removed', 'loaded again loaded again', (cache) => cache.remove(['member'])],
] as const satisfies [
  string,
  string,
  (cache: import('../../src/platform/browser/query-cache.ts').QueryCache) => void,
][])(
  'a part of the page whose data was %s before it is hydrated becomes what the server sent, and then what is known now',
  async (_how, expected, change) => {
    const { window } = openWindow({
      url: 'http://components.localhost/',
      width: 1280,
      fetch: () => Promise.reject(new TypeError('no connection')),
      onLeave: () => {},
    })
    const { hydrateWhile } = await import('../support/hydrated-boundary.tsx')
    const page = hydrateWhile(change)
    onTestFinished(async () => {
      page.end()
      await window.happyDOM.close()
    })
    await vi.waitFor(() => expect(page.text()).toBe(expected), 20_000)
    expect(page.errors).toEqual([])
  },
)
