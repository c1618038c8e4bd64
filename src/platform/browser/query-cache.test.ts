import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MINUTE, SECOND } from '../time.ts'
import { type Observer, type Query, QueryCache } from './query-cache.ts'

/** Events of the window and the document, which share a target here. */
let events: EventTarget & { visibilityState?: string }

beforeEach(() => {
  vi.useFakeTimers()
  events = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  vi.stubGlobal('window', events)
  vi.stubGlobal('document', events)
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function connected(): QueryCache {
  const cache = new QueryCache()
  cache.connect()
  return cache
}

/** A query whose requests the test ends: `replies[0]` is the first one. */
function controlled<T>(id: string, input: unknown = {}) {
  const replies: { resolve: (data: T) => void; reject: (error: Error) => void }[] = []
  const load = () => new Promise<T>((resolve, reject) => replies.push({ resolve, reject }))
  return { query: { key: [id, input], load } satisfies Query<T>, replies }
}

/** A query that counts its requests and returns their number. */
function counting(id: string, input: unknown = {}) {
  const load = vi.fn(async () => ({ count: load.mock.calls.length }))
  return { query: { key: [id, input], load } as Query<{ count: number }>, load }
}

function show<T>(cache: QueryCache, query: Query<T>, changes: Partial<Observer> = {}) {
  const notify = vi.fn()
  const entry = cache.entryOf(query.key)
  const observer: Observer = { query: query as unknown as Query<unknown>, isEnabled: true, refetches: true, ...changes }
  return { notify, hide: cache.observe(entry, observer, notify) }
}

test('fresh data is not requested again, stale data is', async () => {
  const cache = new QueryCache()
  const { query, load } = counting('a')
  expect(await cache.fetch(query)).toEqual({ count: 1 })
  vi.advanceTimersByTime(MINUTE - 1)
  expect(await cache.fetch(query)).toEqual({ count: 1 })
  vi.advanceTimersByTime(1)
  expect(await cache.fetch(query)).toEqual({ count: 2 })
  expect(await cache.fetch({ ...query, staleTime: 0 })).toEqual({ count: 3 })
  expect(await cache.fetch({ ...query, staleTime: ({ count }) => (count === 3 ? SECOND : 0) })).toEqual({ count: 3 })
  vi.advanceTimersByTime(10 * MINUTE)
  expect(await cache.ensure(query)).toEqual({ count: 3 })
  expect(load).toHaveBeenCalledTimes(3)
})

test('null is data: a visitor is not requested twice', async () => {
  const cache = new QueryCache()
  const load = vi.fn(async () => null)
  cache.set(['member', {}], null)
  expect(await cache.ensure({ key: ['member', {}], load })).toBeNull()
  expect(await cache.fetch({ key: ['member', {}], load })).toBeNull()
  expect(load).not.toHaveBeenCalled()
})

test('a key is the same whatever the order of its properties, and without those that are undefined', async () => {
  const cache = new QueryCache()
  cache.set(['a', { query: { x: 1, y: 2 } }], 'found')
  const { query, load } = counting('a', { query: { y: 2, z: undefined, x: 1 } })
  expect(await cache.ensure<unknown>(query as unknown as Query<unknown>)).toBe('found')
  expect(load).not.toHaveBeenCalled()
})

test('a request under way is shared', async () => {
  const cache = new QueryCache()
  const { query, replies } = controlled<string>('a')
  const both = [cache.fetch(query), cache.ensure(query)]
  await vi.advanceTimersByTimeAsync(0)
  void cache.fetch(query)
  await vi.advanceTimersByTimeAsync(0)
  expect(replies.length).toBe(1)
  expect(cache.entryOf(query.key).state.isFetching).toBe(true)
  replies[0]?.resolve('data')
  expect(await Promise.all(both)).toEqual(['data', 'data'])
  expect(cache.entryOf(query.key).state.isFetching).toBe(false)
})

test('a failure reaches the caller, is not a result of the page, and is requested again', async () => {
  const cache = new QueryCache()
  const { query, replies } = controlled<string>('a')
  const failing = cache.fetch(query)
  await vi.advanceTimersByTimeAsync(0)
  replies[0]?.reject(new Error('no connection'))
  await expect(failing).rejects.toThrow('no connection')
  expect(cache.entryOf(query.key).state).toMatchObject({ status: 'error', data: undefined, isFetching: false })
  expect(cache.results()).toEqual([])
  const again = cache.prefetch(query)
  await vi.advanceTimersByTimeAsync(0)
  expect(cache.entryOf(query.key).state).toMatchObject({ status: 'pending', error: null, isFetching: true })
  replies[1]?.resolve('data')
  await again
  expect(cache.results()).toEqual([[query.key, 'data']])
})

test('data remains when a later request fails, and counts as stale', async () => {
  const cache = new QueryCache()
  const { query, replies } = controlled<string>('a')
  cache.set(query.key, 'known')
  const failing = cache.fetch({ ...query, staleTime: 0 })
  await vi.advanceTimersByTimeAsync(0)
  replies[0]?.reject(new Error('no connection'))
  await expect(failing).rejects.toThrow('no connection')
  const { state } = cache.entryOf(query.key)
  expect(state).toMatchObject({ status: 'error', data: 'known' })
  expect(cache.entryOf(query.key).isStale(Number.POSITIVE_INFINITY)).toBe(true)
})

test('equal parts of new data are those of the known data', () => {
  const cache = new QueryCache()
  const key = ['a', {}]
  const stored = () => cache.entryOf<{ list: { id: number }[]; extra?: number }>(key).state.data
  cache.set(key, { list: [{ id: 1 }, { id: 2 }] })
  const first = stored()
  cache.set(key, { list: [{ id: 1 }, { id: 2 }] })
  expect(stored()).toBe(first)
  cache.set(key, { list: [{ id: 1 }, { id: 3 }, { id: 4 }] })
  expect(stored()).toEqual({ list: [{ id: 1 }, { id: 3 }, { id: 4 }] })
  expect(stored()?.list[0]).toBe(first?.list[0])
  const { list } = stored() ?? {}
  cache.set(key, { list: [{ id: 1 }, { id: 3 }, { id: 4 }], extra: 1 })
  expect(stored()?.list).toBe(list)
  cache.set(key, { list: [{ id: 1 }] })
  expect(stored()).toEqual({ list: [{ id: 1 }] })
})

test('invalidation requests what is shown, and the rest when it is needed', async () => {
  const cache = connected()
  const [shown, hidden, disabled, other] = [
    counting('list', 0),
    counting('list', 1),
    counting('list', 2),
    counting('other'),
  ]
  const all = [shown, hidden, disabled, other]
  for (const { query } of all) await cache.fetch(query)
  show(cache, shown.query)
  show(cache, disabled.query, { isEnabled: false })
  show(cache, other.query)
  await cache.invalidate(['list'])
  const counts = () => all.map(({ load }) => load.mock.calls.length)
  expect(counts()).toEqual([2, 1, 1, 1])
  await cache.fetch(hidden.query)
  expect(counts()).toEqual([2, 2, 1, 1])
  await cache.invalidate(([id]) => id === 'other')
  expect(counts()).toEqual([2, 2, 1, 2])
  await cache.invalidate(['list', 0])
  expect(counts()).toEqual([3, 2, 1, 2])
  await cache.invalidate()
  expect(counts()).toEqual([4, 2, 1, 3])
})

test('invalidation replaces a request that may be outdated: its result is ignored', async () => {
  const cache = connected()
  const { query, replies } = controlled<string>('a')
  cache.set(query.key, 'first')
  const { notify } = show(cache, query)
  const early = cache.fetch({ ...query, staleTime: 0 })
  await vi.advanceTimersByTimeAsync(0)
  const invalidated = cache.invalidate(query.key)
  await vi.advanceTimersByTimeAsync(0)
  replies[1]?.resolve('new')
  await invalidated
  replies[0]?.resolve('outdated')
  expect(await early).toBe('new')
  expect(cache.entryOf(query.key).state).toMatchObject({ data: 'new', isFetching: false })
  expect(notify).toHaveBeenCalled()
})

test('stale data that is shown is requested again when the visitor returns to the page', async () => {
  const cache = connected()
  const [stale, fresh, once, hidden] = [counting('stale'), counting('fresh'), counting('once'), counting('hidden')]
  for (const { query } of [stale, once, hidden]) await cache.fetch(query)
  vi.advanceTimersByTime(MINUTE)
  await cache.fetch(fresh.query)
  show(cache, stale.query)
  show(cache, fresh.query)
  show(cache, once.query, { refetches: false })
  const counts = () => [stale, fresh, once, hidden].map(({ load }) => load.mock.calls.length)
  events.visibilityState = 'hidden'
  events.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(0)
  expect(counts()).toEqual([1, 1, 1, 1])
  events.visibilityState = 'visible'
  events.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(0)
  expect(counts()).toEqual([2, 1, 1, 1])
})

test('without a network, refreshing waits for it, and a request that somebody waits for is sent', async () => {
  const cache = connected()
  const { query, load } = counting('a')
  cache.set(query.key, { count: 0 })
  show(cache, query)
  events.dispatchEvent(new Event('offline'))
  await cache.invalidate(query.key)
  expect(load).not.toHaveBeenCalled()
  expect(cache.entryOf(query.key).state.isFetching).toBe(false)
  for (const way of ['fetch', 'ensure', 'prefetch'] as const) {
    const needed = counting(way)
    await cache[way](needed.query)
    expect(needed.load).toHaveBeenCalledTimes(1)
  }
  events.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(load).toHaveBeenCalledTimes(1)
  expect(cache.entryOf(query.key).state.data).toEqual({ count: 1 })
})

test('a request that waits for the network is sent when somebody waits for its result', async () => {
  const cache = connected()
  const { query, load } = counting('a')
  cache.set(query.key, { count: 0 })
  show(cache, query)
  events.dispatchEvent(new Event('offline'))
  await cache.invalidate(query.key)
  expect(await cache.fetch(query)).toEqual({ count: 1 })
  events.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(load).toHaveBeenCalledTimes(1)
})

test('data that no component shows is evicted after five minutes; a server keeps it for its request', async () => {
  const [cache, server] = [connected(), new QueryCache()]
  for (const each of [cache, server]) each.set(['a', {}], 'data')
  const { hide } = show(cache, { key: ['a', {}], load: vi.fn() })
  vi.advanceTimersByTime(10 * MINUTE)
  expect(cache.results().length).toBe(1)
  hide()
  vi.advanceTimersByTime(5 * MINUTE - 1)
  expect(cache.results().length).toBe(1)
  vi.advanceTimersByTime(1)
  expect(cache.results().length).toBe(0)
  expect(server.results().length).toBe(1)
})

test('removal: everything selected, or only what no component shows', () => {
  const cache = connected()
  for (const id of ['member', 'shown', 'hidden']) cache.set([id, {}], id)
  show(cache, { key: ['shown', {}], load: vi.fn() })
  cache.removeUnused(([id]) => id !== 'member')
  expect(cache.results().map(([, data]) => data)).toEqual(['member', 'shown'])
  cache.remove(['shown'])
  expect(cache.results().map(([, data]) => data)).toEqual(['member'])
})
