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
  let time = 0
  const cache = createPageCache(() => time)
  cache.set('a', page)
  cache.set('b', { ...page, status: 404 })
  cache.set('c'.repeat(500), page)
  expect(cache.size).toBe(1)
  time = 60_000
  expect(cache.find('a')).toBeUndefined()
  for (let n = 0; n < 1_200; n++) cache.set(`page ${n}`, page)
  expect(cache.size).toBe(1_000)
  expect(cache.find('page 0')).toBeUndefined()
  expect(cache.find('page 1199')).toBeDefined()
})

test('large pages evict each other by total size before the maximum number of pages is reached', () => {
  const cache = createPageCache()
  const large = { ...page, html: 'x'.repeat(1024 * 1024) }
  for (let n = 0; n < 100; n++) cache.set(`page ${n}`, large)
  expect(cache.size).toBe(48)
  for (let n = 0; n < 100; n++) cache.set('page 99', large)
  expect(cache.size).toBe(48)
})
