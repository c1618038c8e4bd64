import { expect, test } from 'vitest'
import type { Db } from '../../platform/database/db.ts'
import type { AwardTerms } from './award-terms.ts'
import { createTermsReader } from './award-terms.ts'

const db = {} as Db
const termsOf = (id: string) => ({ program: { id }, merchant: null }) as unknown as AwardTerms

test('full, the cache of terms evicts the least recently used ones only', async () => {
  const queried: string[][] = []
  const read = createTermsReader(async (_db, ids) => {
    queried.push([...ids])
    return ids.map((id) => ({ id, terms: termsOf(id) }))
  }, 3)
  for (const ids of [['a', 'b', 'c'], ['a'], ['d'], ['a', 'c', 'd'], ['b']]) {
    expect(await read(db, ids)).toEqual(new Map(ids.map((id) => [id, termsOf(id)])))
  }
  expect(queried).toEqual([['a', 'b', 'c'], ['d'], ['b']])
  // More terms than the cache holds are returned nevertheless.
  const many = ['p', 'q', 'r', 's', 't']
  expect([...(await read(db, many)).keys()].sort()).toEqual(many)
})
