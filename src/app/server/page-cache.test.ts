import { expect, test } from 'vitest'
import { createPageCache } from './page-cache.ts'

const page = { html: '<script nonce="abc"></script><link nonce="abc">', status: 200, nonce: 'abc' }

test('a kept page is sent with a nonce of its own each time', () => {
  const cache = createPageCache()
  cache.set('skyharbor /', page)
  const found = cache.find('skyharbor /')
  expect(found?.pieces.join('xyz')).toBe('<script nonce="xyz"></script><link nonce="xyz">')
  expect(cache.find('beacon /')).toBeUndefined()
})

test('pages age, errors are not kept, and the store has an end', () => {
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

test('large pages make room for each other before a thousand of them are stored', () => {
  const cache = createPageCache()
  const large = { ...page, html: 'x'.repeat(1024 * 1024) }
  for (let n = 0; n < 100; n++) cache.set(`page ${n}`, large)
  expect(cache.size).toBe(48)
  for (let n = 0; n < 100; n++) cache.set('page 99', large)
  expect(cache.size).toBe(48)
})
