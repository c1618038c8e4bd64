import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SearchRequest } from './schemas.ts'
import { filterCount, isBare, queryOf, readSearch, type SearchState, searchAddress, without } from './search-address.ts'

const place = fc.constantFrom({ latitude: '', longitude: '' }, { latitude: '40.7', longitude: '-73.9' })
const searchFields = fc.record({
  campaignCode: fc.constantFrom('', 'NMB'),
  radius: fc.constantFrom('', '3.5'),
  location: fc.constantFrom('', 'Chicago, IL', '10001', 'Coeur d’Alene & more, ID'),
  restaurantOrCuisine: fc.constantFrom('', 'café', 'a+b=c&d', '100%'),
  sortBy: fc.constantFrom('', 'distance', 'rating', 'name', 'newest'),
  pageNo: fc.integer({ min: 1, max: 50 }),
  acclaimed: fc.boolean(),
  isNew: fc.boolean(),
  reservations: fc.boolean(),
  benefitsFor: fc.subarray(['Sun', 'Mon', 'Sat']),
  features: fc.subarray(['delivery', 'dineIn']),
  mealsServed: fc.subarray(['brunch', 'lateNight']),
  priceRange: fc.subarray(['1', '2', '4']),
})
const state: fc.Arbitrary<SearchState> = fc
  .tuple(searchFields, place)
  .map(([search, point]) => ({ ...search, ...point }))
const searchOf = (address: string) => new URL(address, 'http://localhost').searchParams

test('SRCH-012 a search is the same after a round trip through its address', () => {
  fc.assert(
    fc.property(state, (search) => {
      expect(readSearch(searchOf(searchAddress(search)))).toEqual(search)
    }),
  )
})

test('SRCH-015 SRCH-020 the call has the parameters of the address, without empty ones', () => {
  fc.assert(
    fc.property(state, (search) => {
      const query = queryOf(search)
      expect(SearchRequest.safeParse(query).success).toBe(true)
      for (const value of Object.values(query)) expect(['', false, undefined]).not.toContain(value)
    }),
  )
  expect(searchAddress(readSearch(new URLSearchParams()))).toBe('/search')
})

const crowded = readSearch(
  new URLSearchParams(
    'location=10001&radius=3&restaurantOrCuisine=thai&sortBy=name&pageNo=4&acclaimed=true&features=delivery&features=dineIn&priceRange=2',
  ),
)

test('SRCH-006 removing a condition shows the first page and leaves the others; without the radius it is 100 miles', () => {
  expect(without(crowded, 'features')).toEqual({ ...crowded, features: [], pageNo: 1 })
  expect(without(crowded, 'acclaimed')).toEqual({ ...crowded, acclaimed: false, pageNo: 1 })
  expect(without(crowded, 'restaurantOrCuisine')).toEqual({ ...crowded, restaurantOrCuisine: '', pageNo: 1 })
  expect(without(crowded, 'radius')).toEqual({ ...crowded, radius: '100', pageNo: 1 })
})

test('SRCH-003 the number of filters counts each option and the order, and neither place nor text', () => {
  expect(filterCount(crowded)).toBe(5)
  expect(filterCount({ ...crowded, sortBy: '' })).toBe(4)
  expect(filterCount(readSearch(new URLSearchParams('location=10001&restaurantOrCuisine=thai&pageNo=2')))).toBe(0)
  expect([isBare(crowded), isBare(readSearch(new URLSearchParams('utm_source=mail')))]).toEqual([false, true])
})

test('values that no address of a search has are read as none', () => {
  const read = (search: string) => readSearch(new URLSearchParams(search))
  const flags = read('isNew=false&acclaimed=1&reservations=true')
  expect([flags.isNew, flags.acclaimed, flags.reservations]).toEqual([false, false, true])
  expect(['-3', '0', '2.9', 'x', ''].map((text) => read(`pageNo=${text}`).pageNo)).toEqual([1, 1, 2, 1, 1])
  expect([read('sortBy=foo').sortBy, read('sortBy=rating').sortBy]).toEqual(['', 'rating'])
})
