import { expect, test } from 'vitest'
import { Cities } from '../../src/dining/merchants/search/cities.ts'
import { listCities } from '../../src/dining/merchants/search/city-page.ts'
import { MerchantIndex } from '../../src/dining/merchants/search/merchant-index.ts'
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
