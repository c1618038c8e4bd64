import { beforeAll, expect, test } from 'vitest'
import type { Pin, SearchResponse } from '../../src/dining/merchants/contract.ts'
import { visit } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { addMerchants, merchantRecord, untilFound } from '../support/merchants.ts'

const app = setUpTestApp()
const offer = { type: 'Unlimited', startsOn: '2021-01-01' }
const record = (name: string, over: Record<string, unknown>) => merchantRecord({ sourceId: name, name, ...over })

beforeAll(async () => {
  await addMerchants(
    app.database.pools.shared,
    record('Zapf Bar and Kitchen', {
      latitude: 40.751,
      campaignCodes: ['ZAP'],
      acclaimedLevel: 2,
      priceRange: 3,
      neighborhood: '',
      offers: [offer, { ...offer, ratePercent: 150 }, { ...offer, endsOn: '2022-01-01', ratePercent: 300 }],
    }),
    record('Zapf', { latitude: 40.8 }),
    record('Zapf North', { latitude: 40.75 + 24 / 69 }),
    record('Zapf Far North', { latitude: 40.75 + 28 / 69 }),
    ...[1, 2, 3, 4, 5].map((n) =>
      record(`Zapf Row ${n}`, { latitude: 44, neighborhood: n === 5 ? 'San Row 4' : `San Row ${n}` }),
    ),
  )
  await untilFound(app, 'zapf', 9)
})

const get = async <T>(path: string) => (await visit(app, 'skyharbor').get(path)).json<T>()
const names = async (query: string) => {
  const { merchants } = await get<SearchResponse>(`/api/v2/Merchants/Search?${query}`)
  return merchants.map(({ name }) => name)
}

test('a search is within 25 miles, the nearest first, unless it says otherwise', async () => {
  const near = ['Zapf Bar and Kitchen', 'Zapf', 'Zapf North']
  expect(await names('location=10001')).toEqual(near)
  expect(await names('location=10001&restaurantOrCuisine=zapf')).toEqual(near)
  expect((await names('location=10001&restaurantOrCuisine=zapf&sortBy=relevance'))[0]).toBe('Zapf')
  expect(await names('location=10001&radius=50')).toEqual([...near, 'Zapf Far North'])
  expect(await names('campaignCode=ZAP')).toEqual(['Zapf Bar and Kitchen'])
})

test('a pin has what its card shows: the best current rate, the price, the level and the place', async () => {
  const { pins } = await get<{ pins: Pin[] }>('/api/v2/Merchants/Pins?location=10001')
  expect(pins.slice(0, 2)).toMatchObject([
    { name: 'Zapf Bar and Kitchen', place: 'New York', priceRange: 3, acclaimedLevel: 2, ratePercent: 150 },
    { name: 'Zapf', place: 'Chelsea', priceRange: 0, acclaimedLevel: 0, ratePercent: 100 },
  ])
})

test('suggestions are at most eight; of places, the last three are neighborhoods, the largest first', async () => {
  const { suggestions } = await get<{ suggestions: string[] }>('/api/v2/Merchants/Suggest?query=zapf')
  expect(suggestions).toHaveLength(8)
  const { locations } = await get<{ locations: string[] }>('/api/Locations/Suggest?query=san')
  expect(locations).toHaveLength(8)
  expect(locations.slice(5)).toEqual([4, 1, 2].map((n) => `San Row ${n}, New York, NY`))
  expect((await get<{ locations: string[] }>('/api/Locations/Suggest?query=c')).locations).toEqual([])
})

test('a map has at most thirty names, those of the largest cities', async () => {
  const { places } = await get<{ places: { label: string }[] }>('/api/Locations?south=24&west=-125&north=50&east=-66')
  expect(places).toHaveLength(30)
  expect(places.map(({ label }) => label)).toEqual(expect.arrayContaining(['New York, NY', 'Houston, TX']))
})
