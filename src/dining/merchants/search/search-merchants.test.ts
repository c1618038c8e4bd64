import { expect, test } from 'vitest'
import type { Ctx } from '../../../platform/http/context.ts'
import type { MerchantReadModel } from './read-model.ts'
import { createSearch } from './search-merchants.ts'

const ctx = {
  program: { config: { acclaimedEnabled: true, openTableReservationsEnabled: true } },
  now: () => new Date('2026-11-23T12:00:00Z'),
} as Ctx

test('full, the cache of results evicts the least recently used one only, and a change of the restaurants empties it', () => {
  const searched: string[] = []
  const onChange: (() => void)[] = []
  const model = {
    search: ({ text }: { text: string }) => {
      searched.push(text)
      return { rows: [], total: 0 }
    },
    onChange: (listener: () => void) => onChange.push(listener),
  } as unknown as MerchantReadModel
  const cached = createSearch(model)
  const search = (text: string) => cached.search(ctx, { restaurantOrCuisine: text, pageNo: 1, pageSize: 20 })
  for (let n = 0; n < 500; n++) search(`pizza ${n}`)
  expect(search('pizza 0')).toBe(search('pizza 0'))
  search('pizza 500')
  expect(searched).toHaveLength(501)
  for (const n of [0, 2, 499, 500]) search(`pizza ${n}`)
  expect(searched).toHaveLength(501)
  search('pizza 1')
  expect(searched).toHaveLength(502)
  for (const listener of onChange) listener()
  search('pizza 0')
  expect(searched).toHaveLength(503)
})
