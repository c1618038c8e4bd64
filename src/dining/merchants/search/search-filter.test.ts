import { expect, test } from 'vitest'
import { ApiError } from '../../../platform/errors.ts'
import type { Ctx } from '../../../platform/http/context.ts'
import type { SearchRequest } from '../contract.ts'
import { findPlace, toFilter } from './search-filter.ts'

const request = (over: Partial<SearchRequest> = {}): SearchRequest => ({ pageNo: 1, pageSize: 10, ...over })
const soho = { label: 'SoHo, New York, NY', latitude: 40.7, longitude: -74 }
const model = {
  findNeighborhood: (text: string) =>
    ['SoHo', 'Chicago'].includes(text) ? { ...soho, label: `${text} Row` } : undefined,
}
const place = (over: Partial<SearchRequest>) => findPlace(model, request(over))
const here = { latitude: 41.88, longitude: -87.63 }

test('SRCH-013 SRCH-014 coordinates count with a literal location and with none', () => {
  for (const location of ['Current Location', 'Current Map View'])
    expect(place({ location, ...here })).toEqual({ origin: { label: location, ...here }, state: null })
  expect(place(here)).toEqual({ origin: { label: 'Current Map View', ...here }, state: null })
  expect(place({ location: '', latitude: 0, longitude: 0 }).origin).toEqual({
    label: 'Current Map View',
    latitude: 0,
    longitude: 0,
  })
  expect(place({ location: '10001', ...here }).origin?.label).toBe('New York, NY 10001')
  expect(place({})).toEqual({ origin: null, state: null })
})

test('SRCH-027 a location is a ZIP code, a city, a state or a neighborhood, in this order', () => {
  expect(place({ location: 'Chicago' })).toMatchObject({ origin: { label: 'Chicago, IL' }, state: null })
  expect(place({ location: 'Texas' })).toMatchObject({ origin: { label: 'Texas' }, state: 'TX' })
  expect(place({ location: 'SoHo' })).toMatchObject({ origin: { label: 'SoHo Row' }, state: null })
  expect(() => place({ location: 'asdfghjkl' })).toThrow(new ApiError('locationUnknown'))
})

test('a filter has the conditions that are set, and not those of what the program does not have', () => {
  const filterOf = (over: Partial<SearchRequest>, config: object = {}) => {
    const program = { config: { acclaimedEnabled: true, openTableReservationsEnabled: true, ...config } }
    const ctx = { program, now: () => new Date('2026-11-20T12:00:00Z') } as Ctx
    const { today, ...filter } = toFilter(ctx, request(over), { origin: null, state: null })
    expect(today('America/New_York')).toBe('2026-11-20')
    return filter
  }
  const none = {
    text: '',
    origin: null,
    radius: 25,
    sortBy: 'distance',
    acclaimed: false,
    isNew: false,
    reservations: false,
    features: [],
    mealsServed: [],
    earnDays: [],
    priceRange: [],
    campaignCode: null,
    state: null,
    city: undefined,
  }
  expect(filterOf({})).toEqual(none)
  expect(filterOf({ acclaimed: false, isNew: false, reservations: false })).toEqual(none)
  const flags = { acclaimed: true, isNew: true, reservations: true }
  expect(filterOf(flags)).toEqual({ ...none, ...flags })
  expect(filterOf(flags, { acclaimedEnabled: false })).toEqual({ ...none, ...flags, acclaimed: false })
  expect(filterOf(flags, { openTableReservationsEnabled: false })).toEqual({ ...none, ...flags, reservations: false })
  expect(
    filterOf({
      restaurantOrCuisine: 'thai',
      radius: 3,
      sortBy: 'name',
      features: ['delivery'],
      mealsServed: ['lunch'],
      benefitsFor: ['Sun', 'Sat'],
      priceRange: [2],
      campaignCode: 'WINTER',
    }),
  ).toEqual({
    ...none,
    text: 'thai',
    radius: 3,
    sortBy: 'name',
    features: ['delivery'],
    mealsServed: ['lunch'],
    earnDays: [0, 6],
    priceRange: [2],
    campaignCode: 'WINTER',
  })
})
