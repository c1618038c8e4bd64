import { expect, test } from 'vitest'
import { Cities } from '../../src/dining/merchants/search/cities.ts'
import { getCity, listCities } from '../../src/dining/merchants/search/city-page.ts'
import { MerchantIndex } from '../../src/dining/merchants/search/merchant-index.ts'
import type { MerchantReadModel } from '../../src/dining/merchants/search/read-model.ts'
import { ApiError } from '../../src/platform/errors.ts'
import type { Ctx } from '../../src/platform/http/context.ts'
import { merchantRow } from '../support/merchant-fixtures.ts'

test('ROUTE-042 a city has the restaurants and cuisines that are there now, and the date of its last change', () => {
  const cities = new Cities()
  const kumo = merchantRow({ updatedOn: '2026-03-01' })
  const pizza = merchantRow({ id: 2, cuisines: ['Pizza', 'Japanese'], updatedOn: '2026-05-01' })
  cities.count(kumo, 1)
  cities.count(pizza, 1)
  expect(cities.find('new-york-ny')).toMatchObject({ name: 'New York', state: 'NY', updatedOn: '2026-05-01' })
  expect(cities.find('new-york-ny')?.cuisines.map(({ slug, count }) => [slug, count])).toEqual([
    ['japanese', 2],
    ['pizza', 1],
    ['sushi', 1],
  ])
  cities.count(pizza, -1)
  cities.left({ ...pizza, updatedOn: '2026-06-01' })
  const { updatedOn, count, cuisines } = cities.find('new-york-ny') ?? {}
  expect([updatedOn, count, cuisines?.map(({ slug, updatedOn: on }) => [slug, on])]).toEqual([
    '2026-06-01',
    1,
    [
      ['japanese', '2026-06-01'],
      ['sushi', '2026-03-01'],
    ],
  ])
  cities.count(kumo, -1)
  expect([cities.find('new-york-ny'), cities.all()]).toEqual([undefined, []])
})

test('ROUTE-042 neighbors are the nearest other cities within the distance; a name without letters is no city', () => {
  const cities = new Cities()
  const places = [
    ['New York', 40.74, -73.99],
    ['Brooklyn', 40.69, -73.97],
    ['Yonkers', 40.93, -73.9],
    ['Buffalo', 42.89, -78.88],
    ['***', 40.74, -73.99],
  ] as const
  for (const [city, latitude, longitude] of places) cities.count(merchantRow({ city, latitude, longitude }), 1)
  const near = (miles: number, limit: number) =>
    cities.near({ slug: 'new-york-ny' }, { miles, limit }).map(({ slug }) => slug)
  expect(near(60, 8)).toEqual(['brooklyn-ny', 'yonkers-ny'])
  expect(near(60, 1)).toEqual(['brooklyn-ny'])
  expect(cities.all().map(({ slug }) => slug)).toEqual(['brooklyn-ny', 'buffalo-ny', 'new-york-ny', 'yonkers-ny'])
})

test('ROUTE-042 the list has the 300 largest cities by state, and counts all of them', () => {
  const cities = new Cities()
  for (let n = 1; n <= 300; n++) cities.count(merchantRow({ city: `Town ${n}`, state: 'TX' }), 1)
  for (const city of ['Yonkers', 'Albany', 'Albany', 'Yonkers']) cities.count(merchantRow({ city }), 1)
  const { states, totalCities, totalRestaurants } = listCities({ cities })
  expect([totalCities, totalRestaurants]).toEqual([302, 304])
  expect(states.map(({ name, cities }) => [name, cities.length])).toEqual([
    ['New York', 2],
    ['Texas', 298],
  ])
  expect(states[0]?.cities).toEqual([
    { slug: 'albany-ny', name: 'Albany', state: 'NY', count: 2 },
    { slug: 'yonkers-ny', name: 'Yonkers', state: 'NY', count: 2 },
  ])
})

test('ROUTE-040 the list of an index has every participating restaurant once, in an order that changes keep', async () => {
  const before = MerchantIndex.of([1, 2, 3, 4, 5].map((id) => merchantRow({ id, participating: id !== 2 })))
  const index = await before.withChanges([merchantRow({ id: 3, name: 'Renamed' })])
  const ids = (from: number, count: number) => index.list(from, count).map(({ id }) => id)
  expect([ids(0, 10), ids(1, 2), ids(4, 1), index.size]).toEqual([[1, 3, 4, 5], [3, 4], [], 4])
})

const ctx = {
  program: { config: { acclaimedEnabled: true, openTableReservationsEnabled: true } },
  now: () => new Date('2026-11-20T12:00:00Z'),
} as Ctx
const pageOf = (index: MerchantIndex, input: { city: string; cuisine?: string; pageNo?: number }) =>
  getCity(ctx, index as unknown as MerchantReadModel, { pageNo: 1, ...input })

test('ROUTE-042 a page of a city has ten restaurants, the best rated first, and a cuisine has pages of its own', () => {
  const rows = Array.from({ length: 23 }, (_, at) => {
    const cuisines = at < 12 ? ['Pizza'] : at === 12 ? ['Thai', 'Pizza'] : ['Thai']
    return merchantRow({ id: at + 1, name: `Place ${at}`, cuisines, ratingSum: 5 * at, ratingCount: 23 })
  })
  const index = MerchantIndex.of([...rows, merchantRow({ id: 99, city: 'Albany' })])
  const shown = (input: Parameters<typeof pageOf>[1]) => {
    const { merchants, totalPages, totalResultSize } = pageOf(index, input)
    return [merchants.length, merchants[0]?.name, totalPages, totalResultSize]
  }
  const city = 'new-york-ny'
  expect([shown({ city }), shown({ city, pageNo: 3 })]).toEqual([
    [10, 'Place 22', 3, 23],
    [3, 'Place 2', 3, 23],
  ])
  expect([shown({ city, cuisine: 'pizza' }), shown({ city, cuisine: 'pizza', pageNo: 2 })]).toEqual([
    [10, 'Place 12', 2, 13],
    [3, 'Place 2', 2, 13],
  ])
  const { cuisine, cuisines, city: summary } = pageOf(index, { city, cuisine: 'pizza' })
  expect([cuisine, summary.count]).toEqual([{ slug: 'pizza', name: 'Pizza', count: 13 }, 23])
  expect(cuisines.map(({ slug, count }) => [slug, count])).toEqual([
    ['pizza', 13],
    ['thai', 11],
  ])
  expect(pageOf(index, { city }).cuisine).toBeNull()
  for (const input of [{ city: 'nowhere-ny' }, { city, cuisine: 'ramen' }, { city, pageNo: 4 }])
    expect(() => pageOf(index, input)).toThrow(new ApiError('cityNotFound'))
})

test('ROUTE-042 a page of a city links the eight nearest cities within 60 miles, and its 60 most frequent cuisines', () => {
  // A degree of latitude is 69 miles.
  const towns = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85].map((degrees, at) =>
    merchantRow({ id: at + 1, city: `Town ${degrees}`, latitude: 40.7495 + degrees }),
  )
  const many = Array.from({ length: 70 }, (_, at) => `Cuisine ${String(at).padStart(2, '0')}`)
  const kumo = [merchantRow({ id: 98, cuisines: many }), merchantRow({ id: 99, cuisines: many.slice(65) })]
  const { neighbors, cuisines } = pageOf(MerchantIndex.of([...towns, ...kumo]), { city: 'new-york-ny' })
  expect(neighbors.map(({ name }) => name)).toEqual([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75].map((d) => `Town ${d}`))
  expect([cuisines.length, cuisines[0]?.name, cuisines[5]?.name]).toEqual([60, 'Cuisine 65', 'Cuisine 00'])
  const few = MerchantIndex.of([...towns.slice(7), ...kumo])
  expect(pageOf(few, { city: 'new-york-ny' }).neighbors.map(({ name }) => name)).toEqual([
    'Town 0.75',
    'Town 0.8',
    'Town 0.85',
  ])
  const far = MerchantIndex.of([merchantRow({ id: 1, city: 'Far', latitude: 40.7495 + 0.9 }), ...kumo])
  expect(pageOf(far, { city: 'new-york-ny' }).neighbors).toEqual([])
})

test('ROUTE-042 the pages of a city change when one of its restaurants leaves, in an index that is changed and in a new one', async () => {
  const rows = [1, 2].map((id) => merchantRow({ id, cuisines: [`Cuisine ${id}`], updatedOn: '2026-03-01' }))
  const left = merchantRow({ id: 2, cuisines: ['Cuisine 2'], updatedOn: '2026-06-01', participating: false })
  const changed = await MerchantIndex.of(rows).withChanges([left])
  const rebuilt = MerchantIndex.of([rows[0] as typeof left, left])
  for (const index of [changed, rebuilt]) {
    const { updatedOn, count, cuisines } = index.cities.find('new-york-ny') ?? {}
    expect([updatedOn, count, cuisines?.map(({ name }) => name)]).toEqual(['2026-06-01', 1, ['Cuisine 1']])
  }
})
