import type { PathParams } from './match-path.ts'
import { Redirect } from './redirect.ts'
import { createScrollPositions } from './scroll-positions.ts'

interface Address {
  pathname: string
  /** With `?`, or empty. */
  search: string
  /** With `#`, or empty. */
  hash: string
}

/** What the router stores in a history entry. */
interface Entry {
  /** Identifies the entry. */
  key: string
  /** How many entries of this document, and of those that it reloaded, are before it. */
  index: number
  /** What the navigation passed to this page; null when a document was loaded. */
  state: unknown
}

/** Address and history entry of a page. */
export interface Location extends Address, Entry {}

export interface NavigateOptions {
  /** Replaces the history entry. */
  replace?: boolean
  state?: unknown
  /** Keeps the scroll position, for changes within a page. */
  preventScrollReset?: boolean
}

/** What the router needs to know of a page. */
export interface RoutedPage {
  params: PathParams
  /** Why the page is not shown. */
  failure?: { status: number } | null
}

export interface RouterState<Page extends RoutedPage> {
  location: Location
  page: Page
  /** The address that is being loaded while the previous page is shown. */
  pending: Location | null
}

/** State of the address bar and the page that is shown. `Page` is what `load` returns. */
export interface Router<Page extends RoutedPage = RoutedPage> {
  /** What the document was rendered with, as state of its location; undefined for most. */
  readonly passed: unknown
  state(): RouterState<Page>
  subscribe(listener: () => void): () => void
  /**
   * Goes to an address (a path, `?query` or `#fragment`) or by a number of history entries. Resolves when the page is
   * loaded, or when another navigation replaced this one.
   */
  navigate(to: string | number, options?: NavigateOptions): Promise<void>
  /** Listens to Back and Forward; returns a function that ends it. */
  start(): () => void
  /** Scrolls to where a page was left, to its fragment, or to its top. Called when the page is rendered. */
  restoreScroll(rendered: Location): void
}

/** Returns an address as one text. */
export const addressOf = ({ pathname, search, hash }: Address): string => pathname + search + hash

/** Returns an address that may be relative to another one, such as `?page=2`. */
export function resolveAddress(to: string, from: Address): Address {
  const { pathname, search, hash } = new URL(to, `http://app${addressOf(from)}`)
  return { pathname, search, hash }
}

/**
 * Returns where the browser is. An entry that has no key yet gets one; `index` is its place then. `passed` replaces its
 * state.
 */
function currentLocation(index: number, passed?: unknown): Location {
  const { pathname, search, hash } = window.location
  const known = window.history.state as Entry | null
  let entry = known?.key === undefined ? { key: newKey(), index, state: null } : known
  if (passed !== undefined) entry = { ...entry, state: passed }
  if (entry !== known) window.history.replaceState(entry, '')
  return { pathname, search, hash, ...entry }
}

/** Returns whether the browser itself followed a link to a fragment: it creates an entry without a key, and scrolls. */
function isNewFragment({ pathname, search }: Location): boolean {
  const { location, history } = window
  const isSamePage = location.pathname === pathname && location.search === search
  return isSamePage && location.hash !== '' && history.state === null
}

const newKey = () => Math.random().toString(36).slice(2, 10)

interface RouterDeps<Page extends RoutedPage> {
  /** The page of the current document. */
  page: Page
  /** Loads code and data of a page. Throws only a Redirect. */
  load: (url: URL) => Promise<Page>
  /** What the current document was rendered with. */
  passed?: unknown
}

/**
 * Creates the browser's router. A navigation first loads the next page, while the previous one remains, then changes
 * address and page together.
 */
export function createRouter<Page extends RoutedPage>({ page, load, passed }: RouterDeps<Page>): Router<Page> {
  let state: RouterState<Page> = { location: currentLocation(0, passed), page, pending: null }
  let newest = 0
  // Whether the page that is rendered next keeps the scroll position.
  let keepsScroll = false
  const first = state.location
  // The entry of the page that is rendered: it may be earlier than the location, and has the scroll position.
  let renderedKey = first.key
  const listeners = new Set<() => void>()
  const scroll = createScrollPositions()

  function set(changes: Partial<RouterState<Page>>): void {
    state = { ...state, ...changes }
    for (const listener of listeners) listener()
  }

  type Commit = 'push' | 'replace' | 'pop'

  async function go(to: Location, commit: Commit, keep: boolean): Promise<void> {
    const navigation = ++newest
    const from = state.location
    let next = state.page
    if (to.pathname + to.search !== from.pathname + from.search || to.hash === '' || commit === 'replace') {
      set({ pending: to })
      try {
        next = await load(new URL(addressOf(to), window.location.origin))
      } catch (thrown) {
        if (navigation !== newest) return
        if (thrown instanceof Redirect) return follow(thrown, commit === 'push' ? 'push' : 'replace')
        set({ pending: null })
        throw thrown
      }
      if (navigation !== newest) return
    }
    scroll.save(renderedKey)
    keepsScroll = keep
    const entry: Entry = { key: to.key, index: to.index, state: to.state }
    if (commit === 'push') window.history.pushState(entry, '', addressOf(to))
    if (commit === 'replace') window.history.replaceState(entry, '', addressOf(to))
    set({ location: to, page: next, pending: null })
  }

  function locationOf(to: string, commit: 'push' | 'replace', passed: unknown = null): Location {
    const index = state.location.index + (commit === 'push' ? 1 : 0)
    return { ...resolveAddress(to, state.location), key: newKey(), index, state: passed }
  }

  function follow({ to, isDocument }: Redirect, commit: 'push' | 'replace'): Promise<void> {
    if (!isDocument) return go(locationOf(to, commit), commit, false)
    const { location } = window
    if (commit === 'push') location.assign(to)
    else location.replace(to)
    // For a fragment of the current document, the browser has changed the address at once and loads none.
    if (location.pathname + location.search + location.hash === to) location.reload()
    // The document ends here.
    return new Promise(() => {})
  }

  function onPopState(): void {
    if (isNewFragment(state.location)) {
      keepsScroll = true
      set({ location: currentLocation(state.location.index + 1) })
    } else {
      void go(currentLocation(0), 'pop', false)
    }
  }

  const onPageHide = () => scroll.store(renderedKey)

  return {
    passed,
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async navigate(to, { replace, state: passed = null, preventScrollReset = false } = {}) {
      if (typeof to === 'number') return window.history.go(to)
      const isSame = addressOf(resolveAddress(to, state.location)) === addressOf(state.location)
      const commit = (replace ?? isSame) ? 'replace' : 'push'
      await go(locationOf(to, commit, passed), commit, preventScrollReset)
    },
    start() {
      window.history.scrollRestoration = 'manual'
      window.addEventListener('popstate', onPopState)
      window.addEventListener('pagehide', onPageHide)
      return () => {
        window.removeEventListener('popstate', onPopState)
        window.removeEventListener('pagehide', onPageHide)
      }
    },
    restoreScroll(rendered) {
      renderedKey = rendered.key
      scroll.restore(rendered, keepsScroll, rendered === first)
    },
  }
}

/** Creates a router for one rendering, on the server or in a test: it goes nowhere. */
export function createStaticRouter<Page extends RoutedPage>(url: URL, page: Page, passed?: unknown): Router<Page> {
  const { pathname, search, hash } = url
  const location = { pathname, search, hash, key: '', index: 0, state: passed ?? null }
  const state = { location, page, pending: null }
  return {
    passed,
    state: () => state,
    subscribe: () => () => {},
    navigate: async () => {},
    start: () => () => {},
    restoreScroll: () => {},
  }
}
