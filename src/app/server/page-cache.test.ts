import { expect, test } from 'vitest'
import { createPageCache } from './page-cache.ts'

const page = { html: '<script nonce="abc"></script><link nonce="abc">', status: 200, nonce: 'abc' }

test('a cached page is sent with a new nonce each time', () => {
  const cache = createPageCache()
  cache.set('skyharbor /', page)
  const found = cache.find('skyharbor /')
  expect(found?.pieces.join('xyz')).toBe('<script nonce="xyz"></script><link nonce="xyz">')
  expect(cache.find('beacon /')).toBeUndefined()
})

test('cached pages expire, error pages are not cached, and the cache is bounded', () => {
  let time = Date.UTC(2026, 0, 1)
  const cache = createPageCache(() => time)
  cache.set('a', page)
  cache.set('b', { ...page, status: 404 })
  cache.set('c'.repeat(500), page)
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
