import { beforeEach, expect, test, vi } from 'vitest'

type Listener = (event: object) => void

const cache = { match: vi.fn(), put: vi.fn(), delete: vi.fn(), keys: vi.fn() }
const listeners = new Map<string, Listener>()

beforeEach(async () => {
  vi.resetModules()
  vi.stubGlobal('__BUILD__', 'test')
  vi.stubGlobal('location', new URL('http://orchard.localhost/sw.js'))
  vi.stubGlobal('addEventListener', (type: string, listener: Listener) => listeners.set(type, listener))
  vi.stubGlobal('caches', { open: async () => cache, keys: async () => [] })
  vi.stubGlobal('fetch', async () => new Response('the file'))
  cache.match.mockResolvedValue(undefined)
  cache.delete.mockResolvedValue(false)
  cache.keys.mockResolvedValue([])
  await import('./sw.ts')
})

/** Requests a file through the worker. `work` is what the worker still does afterwards. */
async function requestFile(path: string): Promise<{ text: string; work: Promise<unknown>[] }> {
  const work: Promise<unknown>[] = []
  let response: Promise<Response> | undefined
  listeners.get('fetch')?.({
    request: new Request(`http://orchard.localhost${path}`),
    respondWith: (given: Promise<Response>) => {
      response = given
    },
    waitUntil: (given: Promise<unknown>) => work.push(given),
  })
  return { text: (await (await response)?.text()) ?? '', work }
}

for (const path of ['/assets/entry-abc.js', '/art/a-restaurant?w=200'])
  test(`the worker returns ${path} when the cache is full, or the page cancels the request`, async () => {
    cache.put.mockRejectedValue(new DOMException('full', 'QuotaExceededError'))
    const { text, work } = await requestFile(path)
    expect(text).toBe('the file')
    await Promise.all(work)
    expect(cache.put).toHaveBeenCalled()
  })

test('the worker returns a file before it has stored it', async () => {
  let end = () => {}
  cache.put.mockReturnValue(
    new Promise<void>((resolve) => {
      end = resolve
    }),
  )
  const { text, work } = await requestFile('/art/a-restaurant?w=200')
  expect(text).toBe('the file')
  expect(work).toHaveLength(1)
  end()
  await Promise.all(work)
})

test('the worker leaves the navigations of frames to the browser, which names their destination to the server', () => {
  const isAnswered = (destination: string) => {
    const respondWith = vi.fn()
    const request = { method: 'GET', url: 'http://orchard.localhost/account/overview', mode: 'navigate', destination }
    listeners.get('fetch')?.({ request, respondWith, waitUntil: () => {} })
    return respondWith.mock.calls.length > 0
  }
  expect(['document', 'iframe'].map(isAnswered)).toEqual([true, false])
})
