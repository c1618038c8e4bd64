import { expect, test } from 'vitest'
import { LruCache } from './lru-cache.ts'

test('a result is cached until it is the least recently used of too many, or the cache is cleared', () => {
  const computed: string[] = []
  const recent = new LruCache<string>(2)
  const read = (key: string) =>
    recent.get(key, () => {
      computed.push(key)
      return key.toUpperCase()
    })
  expect(['a', 'b', 'a', 'c', 'a', 'b'].map(read)).toEqual(['A', 'B', 'A', 'C', 'A', 'B'])
  expect(computed).toEqual(['a', 'b', 'c', 'b'])
  recent.clear()
  read('b')
  expect(computed).toEqual(['a', 'b', 'c', 'b', 'b'])
})
