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
  const responds = (destination: string) => {
    const respondWith = vi.fn()
    const request = { method: 'GET', url: 'http://orchard.localhost/account/overview', mode: 'navigate', destination }
    listeners.get('fetch')?.({ request, respondWith, waitUntil: () => {} })
    return respondWith.mock.calls.length > 0
  }
  expect(['document', 'iframe'].map(responds)).toEqual([true, false])
})

const origin = 'http://orchard.localhost'
/** The pages and files that this build stores. */
const [pages, files] = ['dineback-pages-test', 'dineback-files']

/** Replaces the caches by ones in memory, which list what was stored first at first. */
function cachesInMemory(...names: string[]) {
  const stored = new Map(names.map((name) => [name, new Map<string, Response>()]))
  const urlOf = (key: RequestInfo) => new URL(typeof key === 'string' ? key : key.url, origin).href
  const isSame = (a: string, b: string, ignoreSearch: boolean) =>
    ignoreSearch ? a.split('?')[0] === b.split('?')[0] : a === b
  const open = async (name: string) => {
    const entries = stored.get(name) ?? new Map<string, Response>()
    stored.set(name, entries)
    return {
      match: async (key: RequestInfo, { ignoreSearch = false } = {}) =>
        [...entries].find(([url]) => isSame(url, urlOf(key), ignoreSearch))?.[1].clone(),
      put: async (key: RequestInfo, response: Response) => void entries.set(urlOf(key), response),
      delete: async (key: RequestInfo) => entries.delete(urlOf(key)),
      keys: async () => [...entries.keys()].map((url) => ({ url })),
    }
  }
  vi.stubGlobal('caches', {
    open,
    keys: async () => [...stored.keys()],
    delete: async (name: string) => stored.delete(name),
  })
  return {
    names: () => [...stored.keys()],
    paths: (name: string) => [...(stored.get(name)?.keys() ?? [])].map((url) => url.slice(origin.length)),
  }
}

/** Sends an event to the worker and waits for its work. Returns what it responded; null when the browser does it. */
async function dispatch(type: string, event: object = {}): Promise<Response | null> {
  const work: Promise<unknown>[] = []
  let responded: Promise<Response> | null = null
  listeners.get(type)?.({
    ...event,
    waitUntil: (given: Promise<unknown>) => work.push(given),
    respondWith: (given: Promise<Response>) => {
      responded = given
    },
  })
  const response = await responded
  await Promise.all(work)
  return response
}

const open = (path: string) =>
  dispatch('fetch', { request: { method: 'GET', url: origin + path, mode: 'navigate', destination: 'document' } })

test('the worker responds for pages and files of the program, and leaves everything else to the browser', async () => {
  cachesInMemory()
  const responds = async (url: string, method = 'GET') =>
    (await dispatch('fetch', { request: { method, url, mode: 'no-cors', destination: '' } })) !== null
  const outcomes: boolean[] = []
  for (const path of ['/assets/a.js', '/art/a', '/images/a.svg', '/theme.css?v=1'])
    outcomes.push(await responds(origin + path))
  expect(outcomes).toEqual([true, true, true, true])
  expect(await open('/search')).not.toBeNull()
  for (const path of ['/api/Member', '/Login', '/SignOut', '/Emulate?token=a', '/preview?pass=a'])
    expect([path, await open(path)]).toEqual([path, null])
  for (const [url, method] of [
    [`${origin}/assets/a.js`, 'POST'],
    ['http://elsewhere.localhost/assets/a.js', 'GET'],
    [`${origin}/manifest.webmanifest`, 'GET'],
  ] as const)
    expect([url, await responds(url, method)]).toEqual([url, false])
})

test('without a network a page is the one of the same address, else the offline page', async () => {
  const { paths } = cachesInMemory()
  vi.stubGlobal('skipWaiting', async () => {})
  await dispatch('install')
  vi.stubGlobal('fetch', async ({ url }: Request) => new Response(`page ${url.slice(origin.length)}`))
  for (const path of ['/search?q=sushi', '/search?q=pizza']) await open(path)
  expect(paths(pages)).toEqual(['/offline', '/search?q=sushi', '/search?q=pizza'])
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
  const shown = async (path: string) => (await open(path))?.text()
  expect([await shown('/search?q=sushi'), await shown('/search?q=pizza'), await shown('/search')]).toEqual([
    'page /search?q=sushi',
    'page /search?q=pizza',
    'the file',
  ])
})

test('only complete pages are stored, and none of a member', async () => {
  const { paths } = cachesInMemory()
  const redirected = Object.defineProperty(new Response('a'), 'redirected', { value: true })
  const private_ = { headers: { 'cache-control': 'private, no-store' } }
  for (const [path, response] of [
    ['/account/overview', new Response('a')],
    ['/join', new Response('a')],
    ['/redirected', redirected],
    ['/private', new Response('a', private_)],
    ['/unknown', new Response('a', { status: 404 })],
    ['/partial', new Response('a', { status: 206 })],
    ['/earn', new Response('a')],
  ] as const) {
    vi.stubGlobal('fetch', async () => response)
    expect([path, await (await open(path))?.text()]).toEqual([path, 'a'])
  }
  expect(paths(pages)).toEqual(['/earn'])
})

test('a file that is missing or private is not stored', async () => {
  const { paths } = cachesInMemory()
  for (const [path, init] of [
    ['/art/missing', { status: 404 }],
    ['/art/private', { headers: { 'cache-control': 'no-store' } }],
    ['/art/a', {}],
  ] as const) {
    vi.stubGlobal('fetch', async () => new Response('a', init))
    await dispatch('fetch', { request: new Request(origin + path) })
  }
  expect(paths(files)).toEqual(['/art/a'])
})

test('forty pages are stored: the one opened longest ago is replaced, and the offline page stays', async () => {
  const { paths } = cachesInMemory()
  vi.stubGlobal('skipWaiting', async () => {})
  await dispatch('install')
  for (let page = 1; page <= 39; page++) await open(`/earn/${page}`)
  expect(paths(pages)).toHaveLength(40)
  await open('/earn/1')
  await open('/earn/40')
  expect([paths(pages).length, paths(pages)[0], paths(pages)[1]]).toEqual([40, '/offline', '/earn/3'])
  expect(paths(pages).slice(-2)).toEqual(['/earn/1', '/earn/40'])
})

test('a new build deletes the pages of earlier ones, and leaves the files and what is not its own', async () => {
  const left = [files, pages, 'other']
  const { names } = cachesInMemory('dineback-pages-earlier', ...left, 'dineback-old')
  const claim = vi.fn(async () => {})
  vi.stubGlobal('clients', { claim })
  await dispatch('activate')
  expect([names(), claim.mock.calls.length]).toEqual([left, 1])
})

test('the page that was open before the worker is stored with its files, if it is of this program', async () => {
  const { paths } = cachesInMemory()
  // Outside of a browser, an address has no page that it is relative to.
  vi.stubGlobal('Request', function request(path: string) {
    return { url: new URL(path, origin).href }
  })
  const fetched: string[] = []
  vi.stubGlobal('fetch', async (target: RequestInfo) => {
    fetched.push(String(typeof target === 'string' ? target : target.url.slice(origin.length)))
    return new Response(
      '<link href="/theme.css?v=1"><script src="/assets/a.js"></script><img src="/art/a"><a href="/earn">',
    )
  })
  for (const seen of ['//evil.example/', 'https://evil.example/', '', 7, undefined])
    await dispatch('message', { data: { seen } })
  await dispatch('message', { data: null })
  expect(fetched).toEqual([])
  await dispatch('message', { data: { seen: '/search?q=a' } })
  expect([paths(pages), paths(files)]).toEqual([['/search?q=a'], ['/theme.css?v=1', '/assets/a.js']])
})

test('a push message without a title is not shown, and a notification opens only pages of the program', async () => {
  const showNotification = vi.fn(async () => {})
  const openWindow = vi.fn(async () => null)
  vi.stubGlobal('registration', { showNotification })
  vi.stubGlobal('clients', { openWindow })
  const message = { title: 'Posted', body: '5 miles', url: '/account/recent_activity', tag: 'a' }
  await dispatch('push', { data: { json: () => message } })
  await dispatch('push', { data: { json: () => ({ body: 'no title' }) } })
  await dispatch('push', { data: null })
  expect(showNotification.mock.calls).toEqual([
    ['Posted', { body: '5 miles', tag: 'a', data: '/account/recent_activity', icon: '/icons/192.png' }],
  ])
  const close = vi.fn()
  for (const data of ['/account/recent_activity', 'https://evil.example/', '//evil.example/', undefined])
    await dispatch('notificationclick', { notification: { data, close } })
  expect(openWindow.mock.calls).toEqual([['/account/recent_activity'], ['/']])
  expect(close).toHaveBeenCalledTimes(4)
})
