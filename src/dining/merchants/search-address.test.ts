import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SearchRequest } from './schemas.ts'
import { queryOf, readSearch, type SearchState, searchAddress } from './search-address.ts'

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
