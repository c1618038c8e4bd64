import { expect, test } from 'vitest'
import { createPageCache } from './page-cache.ts'

const page = { html: '<p>Kumo</p>', status: 200, style: '', links: '', isComplete: true }

const from = (signal: AbortSignal, network = '192.0.2.1') => ({ signal, network })

test('a cached page is found by its key only, and stays the same', () => {
  const cache = createPageCache()
  const shared = cache.set('skyharbor /', page)
  expect(shared.body.plain.toString()).toBe('<p>Kumo</p>')
  expect(cache.find('skyharbor /')).toBe(shared)
  expect(cache.set('skyharbor /', { ...page, html: 'later' })).toBe(shared)
  expect(cache.find('beacon /')).toBeUndefined()
})

test('concurrent requests of a page share one render; it ends when all of them have left', async () => {
  const cache = createPageCache()
  const signals: AbortSignal[] = []
  const { promise, resolve } = Promise.withResolvers<string>()
  const render = (signal: AbortSignal) => {
    signals.push(signal)
    return promise
  }
  const clients = Array.from({ length: 3 }, () => new AbortController())
  const results = clients.map(({ signal }) =>
    cache.share('a', from(signal), render).catch((error: Error) => error.message),
  )
  expect(signals).toHaveLength(1)
  clients[0]?.abort(new Error('left'))
  expect(await results[0]).toBe('left')
  expect(signals[0]?.aborted).toBe(false)
  resolve('rendered')
  expect(await Promise.all(results)).toEqual(['left', 'rendered', 'rendered'])
  const [first, second] = [new AbortController(), new AbortController()]
  const never = (signal: AbortSignal) => {
    signals.push(signal)
    return new Promise<string>(() => {})
  }
  const leaving = [first, second].map(({ signal }) => cache.share('a', from(signal), never).catch(() => 'left'))
  expect(signals).toHaveLength(2)
  first.abort()
  second.abort()
  expect(await Promise.all(leaving)).toEqual(['left', 'left'])
  expect(signals[1]?.aborted).toBe(true)
  // A later client does not wait for the aborted render.
  expect(await cache.share('a', from(new AbortController().signal), async () => 'again')).toBe('again')
})

test('a render that fails does so for everyone who waits, and is repeated for the next', async () => {
  const cache = createPageCache()
  const fail = () => Promise.reject(new Error('down'))
  const { signal } = new AbortController()
  const both = [cache.share('a', from(signal), fail), cache.share('a', from(signal), fail)]
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await cache.share('a', from(signal), async () => 'up')).toBe('up')
})

test('cached pages expire, error pages are not cached, and the cache is bounded', () => {
  let time = Date.UTC(2026, 0, 1)
  const cache = createPageCache(() => time)
  cache.set('a', page)
  cache.set('b', { ...page, status: 404 })
  cache.set('c'.repeat(500), page)
  cache.set('d', { ...page, isComplete: false })
  expect(cache.size).toBe(1)
  time += 59_999
  expect(cache.find('a')).toBeDefined()
  time += 1
  expect(cache.find('a')).toBeUndefined()
  for (let n = 0; n < 1_200; n++) cache.set(`page ${n}`, page)
  expect(cache.size).toBe(1_000)
  expect(cache.find('page 0')).toBeUndefined()
  expect(cache.find('page 1199')).toBeDefined()
})

test('a full cache evicts the page that was not requested for the longest time, and only that one', () => {
  const cache = createPageCache()
  for (let n = 0; n < 1_000; n++) cache.set(`page ${n}`, page)
  expect(cache.find('page 0')).toBeDefined()
  cache.set('page 1000', page)
  expect(cache.size).toBe(1_000)
  expect(cache.find('page 1')).toBeUndefined()
  for (const n of [0, 2, 999, 1_000]) expect([n, cache.find(`page ${n}`) !== undefined]).toEqual([n, true])
})

test('large pages evict each other by total size before the maximum number of pages is reached', () => {
  const cache = createPageCache()
  const large = { ...page, html: 'x'.repeat(1024 * 1024) }
  for (let n = 0; n < 100; n++) cache.set(`page ${n}`, large)
  expect(cache.size).toBe(48)
  for (let n = 0; n < 100; n++) cache.set('page 99', large)
  expect(cache.size).toBe(48)
})

/** Starts a render that the test ends. */
function planned() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const signals: AbortSignal[] = []
  const render = (signal: AbortSignal) => {
    signals.push(signal)
    return promise
  }
  return { render, resolve, reject, signals }
}

test('Case 148 a request does not wait for the turn of another network that asked for the same page before', async () => {
  const cache = createPageCache()
  const { signal } = new AbortController()
  const [late, early] = [planned(), planned()]
  const attackers = [1, 2, 3].map(() => cache.share('a', from(signal, '192.0.2.1'), late.render))
  const visitor = cache.share('a', from(signal, '192.0.2.2'), early.render)
  expect([late.signals.length, early.signals.length]).toEqual([1, 1])
  early.resolve('page')
  expect(await visitor).toBe('page')
  // The page is rendered once: the others get it too, and leave their queue.
  expect(await Promise.all(attackers)).toEqual(['page', 'page', 'page'])
  expect(late.signals[0]?.aborted).toBe(true)
  late.reject(new Error('left'))
  expect(await cache.share('a', from(signal), async () => 'again')).toBe('again')
})

test('Case 148 a network whose page could not be rendered gets the one that another network is waiting for', async () => {
  const cache = createPageCache()
  const { signal } = new AbortController()
  const [first, second] = [planned(), planned()]
  const results = [
    cache.share('a', from(signal, '192.0.2.1'), first.render),
    cache.share('a', from(signal, '192.0.2.2'), second.render),
  ]
  first.reject(new Error('too many pages wait'))
  second.resolve('page')
  expect(await Promise.all(results)).toEqual(['page', 'page'])
  const [third, fourth] = [planned(), planned()]
  const failing = [
    cache.share('a', from(signal, '192.0.2.1'), third.render).catch((error: Error) => error.message),
    cache.share('a', from(signal, '192.0.2.2'), fourth.render).catch((error: Error) => error.message),
  ]
  third.reject(new Error('first failure'))
  fourth.reject(new Error('second failure'))
  expect(await Promise.all(failing)).toEqual(['first failure', 'second failure'])
})
