import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Redirect } from './redirect.ts'
import { createRouter } from './router.ts'

interface Entry {
  url: URL
  state: unknown
}

/** A window with a history and a scroll position. */
function createWindow(address: string) {
  const events = new EventTarget()
  const entries: Entry[] = [{ url: new URL(address, 'http://app.example'), state: null }]
  let index = 0
  const top = () => entries[index] as Entry
  const moved = (url: string) => new URL(url || top().url, top().url)
  const documents: string[] = []
  const fake = {
    scrollY: 0,
    scrollTo(_left: number, y: number) {
      fake.scrollY = y
    },
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
    get location() {
      const open = (to: string) => documents.push(to)
      // A fragment of the current document changes only the address, at once.
      const isFragment = ({ hash, pathname }: URL) => hash !== '' && pathname === top().url.pathname
      return {
        get hash() {
          return top().url.hash
        },
        pathname: top().url.pathname,
        search: top().url.search,
        origin: top().url.origin,
        assign: open,
        replace(to: string) {
          if (isFragment(moved(to))) entries[index] = { url: moved(to), state: null }
          else open(`replaced by ${to}`)
        },
        reload: () => open(`reloaded ${top().url.href}`),
      }
    },
    history: {
      scrollRestoration: 'auto',
      get state() {
        return top().state
      },
      pushState(state: unknown, _title: string, url: string) {
        const entry = { url: moved(url), state }
        entries.splice(++index, entries.length, entry)
      },
      replaceState(state: unknown, _title: string, url = '') {
        entries[index] = { url: moved(url), state }
      },
      go(delta: number) {
        index += delta
        events.dispatchEvent(new Event('popstate'))
      },
    },
  }
  /** What the browser does for a link to a fragment. */
  function followFragment(hash: string): void {
    entries.splice(index + 1, entries.length, { url: moved(hash), state: null })
    fake.scrollY = 900
    fake.history.go(1)
  }
  const hide = () => events.dispatchEvent(new Event('pagehide'))
  return {
    fake,
    entries,
    documents,
    followFragment,
    hide,
    address: () => top().url.href.slice('http://app.example'.length),
  }
}

let browser: ReturnType<typeof createWindow>
const stored = new Map<string, string>()

beforeEach(() => {
  browser = createWindow('/start')
  stored.clear()
  vi.stubGlobal('window', browser.fake)
  vi.stubGlobal('document', { getElementById: () => null })
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
})
afterEach(() => vi.unstubAllGlobals())

const pageAt = (url: URL) => ({ params: {}, address: url.pathname + url.search })

/** Starts a router; `load` may hold or redirect an address. */
function start(load = async (url: URL) => pageAt(url)) {
  const loads = vi.fn(load)
  const router = createRouter({ page: pageAt(new URL('http://app.example/start')), load: loads })
  router.start()
  return { router, loads, shown: () => router.state().page.address }
}

/** What the app does when it has rendered the page of the current location. */
const showPage = ({ restoreScroll, state }: ReturnType<typeof start>['router']) => restoreScroll(state().location)

const settled = () => new Promise((resolve) => setTimeout(resolve))

test('a navigation shows the previous page until the next one is loaded, then changes address and page together', async () => {
  const held = Promise.withResolvers<void>()
  const { router, shown } = start(async (url) => {
    await held.promise
    return pageAt(url)
  })
  const done = router.navigate('/next?q=1')
  expect([shown(), browser.address(), router.state().pending?.pathname]).toEqual(['/start', '/start', '/next'])
  held.resolve()
  await done
  expect([shown(), browser.address(), router.state().pending]).toEqual(['/next?q=1', '/next?q=1', null])
})

test('the newest navigation wins, even when an earlier one is loaded later', async () => {
  const held = Promise.withResolvers<void>()
  const { router, shown } = start(async (url) => {
    if (url.pathname === '/slow') await held.promise
    return pageAt(url)
  })
  const slow = router.navigate('/slow')
  await router.navigate('/quick')
  held.resolve()
  await slow
  expect([shown(), browser.address(), browser.entries.length]).toEqual(['/quick', '/quick', 2])
})

test('Back shows the earlier page with its state', async () => {
  const { router, shown } = start()
  await router.navigate('/a', { state: { isDone: true } })
  await router.navigate('/b')
  await router.navigate(-1)
  await settled()
  expect([shown(), router.state().location.state]).toEqual(['/a', { isDone: true }])
})

test('a document that was rendered with a state has it, in place of the one of an earlier visit to its entry', () => {
  const at = (passed?: unknown) =>
    createRouter({ page: pageAt(new URL('http://app.example/start')), load: vi.fn(), passed })
  expect(at().state().location.state).toBeNull()
  const { key } = at({ email: 'ada@example.com' }).state().location
  expect(at().state().location).toMatchObject({ key, state: { email: 'ada@example.com' } })
  expect(at({ isDone: true }).state().location).toMatchObject({ key, state: { isDone: true } })
})

test('the first page of a visit has the index 0, also after a return to it and a reload', async () => {
  const { router } = start()
  const index = () => router.state().location.index
  await router.navigate('/a')
  await router.navigate('/b', { replace: true })
  expect(index()).toBe(1)
  expect(start().router.state().location.index).toBe(1)
  await router.navigate(-1)
  await settled()
  expect(index()).toBe(0)
})

test('each entry has a key, which a reload keeps', async () => {
  const first = start().router.state().location.key
  expect(start().router.state().location.key).toBe(first)
  const { router } = start()
  await router.navigate('/a')
  expect(router.state().location.key).not.toBe(first)
})

test('the same address again, and "replace", add no history entry', async () => {
  const { router, loads } = start()
  await router.navigate('/start')
  await router.navigate('/a', { replace: true })
  expect([browser.entries.length, browser.address(), loads.mock.calls.length]).toEqual([1, '/a', 2])
})

test('a fragment of the same page is a history entry, and loads nothing', async () => {
  const { router, loads } = start()
  await router.navigate('#cards')
  expect([browser.address(), browser.entries.length, loads.mock.calls.length]).toEqual(['/start#cards', 2, 0])
  await router.navigate('?page=2')
  expect(browser.address()).toBe('/start?page=2')
})

test('a link to a fragment that the browser follows loads nothing, stays scrolled, and has an entry of its own', async () => {
  const { router, loads } = start()
  browser.followFragment('#main')
  await settled()
  showPage(router)
  expect([loads.mock.calls.length, browser.fake.scrollY, router.state().location.hash]).toEqual([0, 900, '#main'])
  expect(router.state().location.index).toBe(1)
})

test('a redirect is followed without an entry for its address', async () => {
  const { router, shown } = start(async (url) => {
    if (url.pathname === '/old') throw new Redirect('/new?from=old')
    return pageAt(url)
  })
  await router.navigate('/old')
  expect([shown(), browser.entries.map(({ url }) => url.pathname)]).toEqual(['/new?from=old', ['/start', '/new']])
})

test('a redirect on the way back replaces the entry', async () => {
  let isOver = false
  const { router } = start(async (url) => {
    if (isOver && url.pathname === '/account') throw new Redirect('/login')
    return pageAt(url)
  })
  await router.navigate('/account')
  await router.navigate('/search')
  isOver = true
  await router.navigate(-1)
  await settled()
  expect(browser.entries.map(({ url }) => url.pathname)).toEqual(['/start', '/login', '/search'])
})

test('a redirect to a document leaves the app', async () => {
  const { router, shown } = start(async () => {
    throw new Redirect('/Login', true)
  })
  void router.navigate('/login')
  void router.navigate('/login', { replace: true })
  await settled()
  expect([browser.documents, shown()]).toEqual([['replaced by /Login'], '/start'])
})

test('a new document at a fragment of the current address is a reload', async () => {
  const { router } = start(async (url) => {
    if (url.pathname === '/start') throw new Redirect(url.pathname + url.search + url.hash, true)
    return pageAt(url)
  })
  await router.navigate('#main')
  await router.navigate('/next')
  await router.navigate(-1)
  await settled()
  expect(browser.documents).toEqual(['reloaded http://app.example/start#main'])
  void router.navigate('/start#cards', { replace: true })
  await settled()
  expect(browser.documents.slice(1)).toEqual(['reloaded http://app.example/start#cards'])
})

test('a page that cannot be loaded leaves the previous one, and the failure is reported', async () => {
  const { router, shown } = start(async () => {
    throw new Error('a defect')
  })
  await expect(router.navigate('/a')).rejects.toThrow('a defect')
  expect([shown(), router.state().pending]).toEqual(['/start', null])
})

test('a new page starts at its top, a change within a page keeps the position, and Back restores it', async () => {
  const { router } = start()
  browser.fake.scrollY = 300
  await router.navigate('?filter=1', { preventScrollReset: true })
  showPage(router)
  expect(browser.fake.scrollY).toBe(300)
  await router.navigate('/a')
  showPage(router)
  expect(browser.fake.scrollY).toBe(0)
  await router.navigate(-1)
  await settled()
  showPage(router)
  expect(browser.fake.scrollY).toBe(300)
})

test('a navigation while the previous one is being rendered changes no position but that of the page that was shown', async () => {
  const { router } = start()
  browser.fake.scrollY = 300
  await router.navigate('/a')
  showPage(router)
  browser.fake.scrollY = 700
  await router.navigate(-1)
  await settled()
  // Still shows /a.
  await router.navigate(1)
  await settled()
  showPage(router)
  expect(browser.fake.scrollY).toBe(700)
  await router.navigate(-1)
  await settled()
  showPage(router)
  expect(browser.fake.scrollY).toBe(300)
})

test('a reload restores the position, another document starts at its top', () => {
  start()
  browser.fake.scrollY = 250
  browser.hide()
  browser.fake.scrollY = 0
  showPage(start().router)
  expect(browser.fake.scrollY).toBe(250)
  browser.fake.history.replaceState(null, '')
  browser.fake.scrollY = 0
  showPage(start().router)
  expect(browser.fake.scrollY).toBe(0)
})

test('a document that was scrolled before its script arrived stays there, also after a reload', async () => {
  browser.fake.scrollY = 300
  const { router } = start()
  showPage(router)
  expect(browser.fake.scrollY).toBe(300)
  browser.hide()
  browser.fake.scrollY = 100
  showPage(start().router)
  expect(browser.fake.scrollY).toBe(100)
  await router.navigate('/a')
  showPage(router)
  expect(browser.fake.scrollY).toBe(0)
})

test('listeners hear of each change until they leave', async () => {
  const { router } = start()
  const listener = vi.fn()
  const leave = router.subscribe(listener)
  await router.navigate('/a')
  // Pending, then shown.
  expect(listener).toHaveBeenCalledTimes(2)
  leave()
  await router.navigate('/b')
  expect(listener).toHaveBeenCalledTimes(2)
})

test('an entry that is left several times has the position of the last time, also after a reload', async () => {
  const { router } = start()
  const leaveAt = async (y: number) => {
    browser.fake.scrollY = y
    await router.navigate('/a')
    showPage(router)
    await router.navigate(-1)
    await settled()
    showPage(router)
    return browser.fake.scrollY
  }
  expect([await leaveAt(300), await leaveAt(500)]).toEqual([300, 500])
  for (const y of [250, 120]) {
    browser.fake.scrollY = y
    browser.hide()
    browser.fake.scrollY = 0
    showPage(start().router)
    expect(browser.fake.scrollY).toBe(y)
  }
})

test('a page with a fragment shows its element, also one whose name is encoded, and Back shows where it was left', async () => {
  const shownIds: string[] = []
  const ids = ['reserve-table', 'café', '100%']
  const element = (id: string) => (ids.includes(id) ? { scrollIntoView: () => shownIds.push(id) } : null)
  vi.stubGlobal('document', { getElementById: element })
  const { router } = start()
  for (const hash of ['#reserve-table', '#caf%C3%A9', '#100%']) {
    await router.navigate(`/a${hash}`)
    showPage(router)
  }
  expect(shownIds).toEqual(ids)
  browser.fake.scrollY = 400
  // A fragment without an element is the top of its page.
  await router.navigate('/b#missing')
  showPage(router)
  expect([browser.fake.scrollY, shownIds.length]).toEqual([0, 3])
  await router.navigate(-1)
  await settled()
  showPage(router)
  expect([browser.fake.scrollY, shownIds.length]).toEqual([400, 3])
})

test('without a session storage, and with one that cannot be read, a document starts at its top', () => {
  const unavailable = () => {
    throw new Error('denied')
  }
  const broken = { getItem: () => '{', setItem: () => {} }
  for (const storage of [{ getItem: unavailable, setItem: unavailable }, broken]) {
    vi.stubGlobal('sessionStorage', storage)
    const { router } = start()
    browser.hide()
    showPage(router)
    expect(browser.fake.scrollY).toBe(0)
  }
})

test('what an earlier navigation ends with is ignored: neither its redirect nor its failure shows', async () => {
  const held = Promise.withResolvers<void>()
  const { router, shown } = start(async (url) => {
    if (url.pathname === '/quick') return pageAt(url)
    await held.promise
    throw url.pathname === '/old' ? new Redirect('/new') : new Error('a defect')
  })
  const early = [router.navigate('/old'), router.navigate('/failing')]
  await router.navigate('/quick')
  held.resolve()
  await Promise.all(early)
  expect([shown(), browser.address(), browser.entries.length]).toEqual(['/quick', '/quick', 2])
})

test('a redirect to a document keeps the page before it in the history', async () => {
  const { router } = start(async () => {
    throw new Redirect('/Login', true)
  })
  void router.navigate('/login')
  await settled()
  expect(browser.documents).toEqual(['/Login'])
})
