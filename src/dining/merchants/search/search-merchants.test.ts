import { expect, test } from 'vitest'
import type { Ctx } from '../../../platform/http/context.ts'
import type { SearchRequest } from '../contract.ts'
import type { SearchFilter } from './query.ts'
import type { MerchantReadModel } from './read-model.ts'
import { createSearch } from './search-merchants.ts'

const ctx = {
  program: { config: { acclaimedEnabled: true, openTableReservationsEnabled: true } },
  now: () => new Date('2026-11-23T12:00:00Z'),
} as Ctx

/** Returns a model that finds nothing, with the texts that were searched for and the listeners of changes. */
function createModel() {
  const searched: string[] = []
  const onChange: (() => void)[] = []
  const model = {
    search: ({ text }: { text: string }) => {
      searched.push(text)
      return { rows: [], total: 0 }
    },
    onChange: (listener: () => void) => onChange.push(listener),
  } as unknown as MerchantReadModel
  return { model, searched, onChange }
}

test('full, the cache of results evicts the least recently used one only, and a change of the restaurants empties it', () => {
  const { model, searched, onChange } = createModel()
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

test('a cached result is returned within a quarter of an hour, to programs with the same flags', () => {
  const { model, searched } = createModel()
  const { search } = createSearch(model)
  const request = { restaurantOrCuisine: 'pizza', pageNo: 1, pageSize: 20 }
  const searchAt = (instant: string, flags: object = {}) => {
    const program = { config: { ...ctx.program.config, ...flags } }
    search({ program, now: () => new Date(instant) } as Ctx, request)
    return searched.length
  }
  const first = '2026-11-24T04:45:00Z'
  expect([searchAt(first), searchAt('2026-11-24T04:59:59.999Z')]).toEqual([1, 1])
  // Midnight in New York.
  expect(searchAt('2026-11-24T05:00:00Z')).toBe(2)
  expect(searchAt(first, { acclaimedEnabled: false })).toBe(3)
  expect(searchAt(first, { openTableReservationsEnabled: false })).toBe(4)
  expect(searchAt(first)).toBe(4)
})

test('SRCH-006 a search without results can be relaxed by each of its conditions, and by its radius around a point', () => {
  const conditions = {
    restaurantOrCuisine: 'pizza',
    acclaimed: true,
    isNew: true,
    reservations: true,
    benefitsFor: ['Sun'],
    features: ['delivery'],
    mealsServed: ['lunch'],
    priceRange: [2],
    campaignCode: 'WINTER',
  } as const
  const request = (over: object) => ({ pageNo: 1, pageSize: 20, ...over }) as Parameters<typeof facetsOf>[0]
  /** Returns the relaxations of a search that alone finds nothing. */
  const facetsOf = (given: SearchRequest, found: (filter: SearchFilter) => number = () => 1) => {
    let first: string | undefined
    const search = (filter: SearchFilter) => {
      const { today: _, ...conditions } = filter
      first ??= JSON.stringify(conditions)
      return { rows: [], total: JSON.stringify(conditions) === first ? 0 : found(filter) }
    }
    const model = { search, count: () => ({}), onChange: () => {} } as unknown as MerchantReadModel
    return createSearch(model).facets(ctx, given).relaxations
  }
  const without = (over: object) => facetsOf(request(over)).map((each) => each.without)
  expect(without(conditions).sort()).toEqual(Object.keys(conditions).sort())
  expect(without({ ...conditions, location: '10001' }).sort()).toEqual([...Object.keys(conditions), 'radius'].sort())
  // A whole state has no radius, and a flag that is off is no condition.
  expect(without({ isNew: true, acclaimed: false, location: 'Texas' })).toEqual(['isNew'])
  const radii: number[] = []
  facetsOf(request({ location: '10001', radius: 2 }), ({ radius }) => radii.push(radius))
  expect(radii).toEqual([100])
  expect(facetsOf(request({ isNew: true, priceRange: [2] }), ({ isNew }) => (isNew ? 3 : 0))).toEqual([
    { without: 'priceRange', total: 3 },
  ])
})
