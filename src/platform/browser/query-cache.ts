import { MINUTE } from '../time.ts'

/** The id of a call and its input. */
export type QueryKey = readonly unknown[]

export interface Query<T> {
  key: QueryKey
  /** Requests the data; `known` is what the cache has. */
  load: (known: T | undefined) => Promise<T>
  /** For how many milliseconds data is fresh: a minute by default. */
  staleTime?: number | ((data: T) => number)
}

export interface QueryState<T> {
  data: T | undefined
  /** Why the last request failed; null after a success. */
  error: unknown
  status: 'pending' | 'success' | 'error'
  isFetching: boolean
}

/** A component that shows a query. */
export interface Observer {
  query: Query<unknown>
  isEnabled: boolean
  /** Whether stale data is requested again when the visitor returns to the page, or the network returns. */
  refetches: boolean
}

/** How long data without a component that shows it is kept. */
const retentionMs = 5 * MINUTE

/** The state of a query that was never requested. */
const unknownState: QueryState<never> = { data: undefined, error: null, status: 'pending', isFetching: false }

/** One query of the cache. Its state is replaced, never changed. */
export class QueryEntry<T = unknown> {
  state: QueryState<T> = unknownState
  isInvalidated = false
  updatedAt = 0
  /** The request under way. */
  request: Promise<T> | null = null
  /** Counts the requests: only the newest one counts. */
  requests = 0
  /** Sends the request under way that waits for the network. */
  send: (() => void) | undefined
  eviction: ReturnType<typeof setTimeout> | undefined
  /** What to call when the state has changed. */
  readonly observers = new Map<Observer, () => void>()
  readonly key: QueryKey

  constructor(key: QueryKey) {
    this.key = key
  }

  set(changes: Partial<QueryState<T>>): void {
    this.state = { ...this.state, ...changes }
    for (const notify of this.observers.values()) notify()
  }

  succeed(data: T): void {
    this.updatedAt = Date.now()
    this.isInvalidated = false
    this.set({ data: withKnownParts(this.state.data, data) as T, error: null, status: 'success' })
  }

  isStale(staleTime: Query<T>['staleTime'] = MINUTE): boolean {
    const { data } = this.state
    if (data === undefined || this.isInvalidated) return true
    return Date.now() - this.updatedAt >= (typeof staleTime === 'function' ? staleTime(data) : staleTime)
  }
}

/** Which queries: those of a key or of a call, or those that a function accepts. */
type Selection = QueryKey | ((key: QueryKey) => boolean)

/** Results of read calls: of one page life (browser) or of one request (server). */
export class QueryCache {
  readonly #entries = new Map<string, QueryEntry>()
  /** By hash; null on the server, whose states are what it renders. */
  #served: ReadonlyMap<string, QueryState<unknown>> | null = null
  #isConnected = false
  #isOnline = true

  /** Starts what a browser needs: eviction, and new requests when the visitor or the network returns. */
  connect(): void {
    this.#isConnected = true
    const setOnline = (isOnline: boolean) => () => {
      this.#isOnline = isOnline
      if (isOnline) this.#refetchStale()
    }
    window.addEventListener('online', setOnline(true))
    window.addEventListener('offline', setOnline(false))
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.#refetchStale()
    })
  }

  /**
   * Keeps what the server has rendered the document with. A part of it may be hydrated after its data has changed, after a
   * sign-out for example: it becomes what the server sent first.
   */
  keepServed(): void {
    this.#served = new Map([...this.#entries].map(([hash, { state }]) => [hash, state]))
  }

  /** Returns the state of a query with which the document was rendered. */
  servedState<T>(entry: QueryEntry<T>): QueryState<T> {
    return this.#served ? ((this.#served.get(hashOf(entry.key)) ?? unknownState) as QueryState<T>) : entry.state
  }

  get isOnline(): boolean {
    return this.#isOnline
  }

  entryOf<T>(key: QueryKey): QueryEntry<T> {
    const hash = hashOf(key)
    let entry = this.#entries.get(hash)
    if (!entry) {
      entry = new QueryEntry(key)
      this.#entries.set(hash, entry)
      this.#evictLater(entry)
    }
    return entry as QueryEntry<T>
  }

  set<T>(key: QueryKey, data: T): void {
    this.entryOf<T>(key).succeed(data)
  }

  /** Returns fresh data, or requests it; see `request`. */
  async fetch<T>(query: Query<T>): Promise<T> {
    const entry = this.entryOf<T>(query.key)
    return entry.isStale(query.staleTime) ? this.request(entry, query) : (entry.state.data as T)
  }

  /** Returns data of any age, or requests it. */
  async ensure<T>(query: Query<T>): Promise<T> {
    const entry = this.entryOf<T>(query.key)
    const { data } = entry.state
    return data === undefined ? this.request(entry, query) : data
  }

  /** Does the same as `fetch`; a failure is part of the query's state. */
  async prefetch<T>(query: Query<T>): Promise<void> {
    await this.fetch(query).catch(ignore)
  }

  /** Marks data as outdated. Resolves when what is shown has been requested again, or waits for the network. */
  async invalidate(which: Selection = () => true): Promise<void> {
    const selected = this.#select(which)
    for (const entry of selected) entry.isInvalidated = true
    const requests = selected.flatMap((entry) => {
      const observer = [...entry.observers.keys()].find(({ isEnabled }) => isEnabled)
      return observer ? [this.request(entry, observer.query, { restarts: true, waits: true }).catch(ignore)] : []
    })
    if (this.#isOnline) await Promise.all(requests)
  }

  /** Removes data. A component that shows it requests it again at its next rendering. */
  remove(which: Selection): void {
    for (const entry of this.#select(which)) this.#evict(entry)
  }

  /** Removes data that no component shows. */
  removeUnused(which: Selection): void {
    for (const entry of this.#select(which)) {
      if (![...entry.observers.keys()].some(({ isEnabled }) => isEnabled)) this.#evict(entry)
    }
  }

  /** Returns all data, without times: equal results have equal bytes. */
  results(): [QueryKey, unknown][] {
    return [...this.#entries.values()].flatMap(({ key, state }) =>
      state.status === 'success' ? [[key, state.data] as [QueryKey, unknown]] : [],
    )
  }

  /** Returns the function that ends it. */
  observe(entry: QueryEntry, observer: Observer, notify: () => void): () => void {
    clearTimeout(entry.eviction)
    entry.observers.set(observer, notify)
    return () => {
      entry.observers.delete(observer)
      this.#evictLater(entry)
    }
  }

  /**
   * Requests data, or returns the request under way; `restarts` replaces that one when there is older data. Without a
   * network the request fails, or `waits` for it: then nobody waits for its result.
   */
  request<T>(
    entry: QueryEntry<T>,
    { load }: Pick<Query<T>, 'load'>,
    { restarts = false, waits = false } = {},
  ): Promise<T> {
    if (entry.request && !(restarts && entry.state.data !== undefined)) {
      if (!waits) entry.send?.()
      return entry.request
    }
    const number = ++entry.requests
    const isNewest = () => entry.requests === number
    const follow = () => entry.request ?? (entry.state.data as T)
    const run = async (): Promise<T> => {
      // At the earliest in a microtask: a rendering component must not change the state of others.
      await (this.#isOnline || !waits ? null : online(entry))
      if (!isNewest()) return follow()
      entry.set({ isFetching: true, ...(entry.state.data === undefined && { status: 'pending', error: null }) })
      try {
        const data = await load(entry.state.data)
        if (!isNewest()) return follow()
        entry.request = null
        entry.state = { ...entry.state, isFetching: false }
        entry.succeed(data)
        return entry.state.data as T
      } catch (error) {
        if (!isNewest()) return follow()
        entry.request = null
        entry.isInvalidated = true
        entry.set({ error, status: 'error', isFetching: false })
        throw error
      }
    }
    entry.request = run()
    return entry.request
  }

  #refetchStale(): void {
    for (const entry of this.#entries.values()) {
      const observer = [...entry.observers.keys()].find(
        ({ isEnabled, refetches, query }) => isEnabled && refetches && entry.isStale(query.staleTime),
      )
      if (observer) this.request(entry, observer.query, { waits: true }).catch(ignore)
    }
  }

  #select(which: Selection): QueryEntry[] {
    const all = [...this.#entries.values()]
    if (typeof which === 'function') return all.filter(({ key }) => which(key))
    if (which.length === 1) return all.filter(({ key }) => key[0] === which[0])
    const entry = this.#entries.get(hashOf(which))
    return entry ? [entry] : []
  }

  #evictLater(entry: QueryEntry): void {
    clearTimeout(entry.eviction)
    if (!this.#isConnected || entry.observers.size > 0) return
    entry.eviction = setTimeout(() => this.#evict(entry), retentionMs)
  }

  #evict(entry: QueryEntry): void {
    clearTimeout(entry.eviction)
    const hash = hashOf(entry.key)
    if (this.#entries.get(hash) === entry) this.#entries.delete(hash)
  }
}

const ignore = () => {}

/** Resolves when the network returns, or the entry's request is sent without one. */
async function online(entry: Pick<QueryEntry, 'send'>): Promise<void> {
  await new Promise<void>((resolve) => {
    entry.send = resolve
    window.addEventListener('online', () => resolve(), { once: true })
  })
  entry.send = undefined
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a key as a text, whatever the order of its properties. */
function hashOf(key: QueryKey): string {
  return JSON.stringify(key, (_name, value) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  )
}

/** Returns new data in which equal parts are those of the known data, so that components see what has not changed. */
function withKnownParts(known: unknown, next: unknown): unknown {
  if (known === next) return known
  const areArrays = Array.isArray(known) && Array.isArray(next)
  if (!areArrays && !(isObject(known) && isObject(next))) return next
  const [before, after] = [known, next] as [Record<string, unknown>, Record<string, unknown>]
  const names = Object.keys(after)
  const parts = names.map((name) => withKnownParts(before[name], after[name]))
  const isSame =
    names.length === Object.keys(before).length &&
    names.every((name, index) => name in before && before[name] === parts[index])
  if (isSame) return known
  return areArrays ? parts : Object.fromEntries(names.map((name, index) => [name, parts[index]]))
}
