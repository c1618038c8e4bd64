import { expect, test } from 'vitest'
import type { MerchantDetail } from '../contract.ts'
import { breadcrumbList, itemList, scriptJson, structuredData } from './structured-data.ts'

const merchant = {
  id: 'corner-bistro',
  name: 'Corner </script><b>Bistro',
  description: '',
  website: '',
  menuUrl: '',
  hours: { '5': [['17:00', '25:30']] },
  reservationProviders: ['book'],
  details: { rating: { overallRating: 0, numberOfRatings: 0 }, priceRange: 2, cuisines: ['French'] },
  location: {
    address: { address1: '', city: 'New York', state: 'NY', zipCode: '' },
    phone: '',
    latitude: 40.7,
    longitude: -73.9,
  },
} as unknown as MerchantDetail
const page = { url: 'https://dining.example.com/merchants/corner-bistro', image: 'https://dining.example.com/art.png' }

test('the structured data of a restaurant has the known values and omits the others', () => {
  const data = structuredData(merchant, page)
  expect(data).toMatchObject({
    '@type': 'Restaurant',
    servesCuisine: ['French'],
    priceRange: '$$',
    acceptsReservations: true,
    openingHoursSpecification: [{ dayOfWeek: 'Friday', opens: '17:00', closes: '23:59' }],
  })
  const nothing = structuredData(
    {
      ...merchant,
      hours: {
        '5': [
          ['17:00', '23:59'],
          ['12:00', '24:00'],
        ],
      },
      reservationProviders: [],
      details: { rating: { overallRating: 4.5, numberOfRatings: 1 }, priceRange: 0, cuisines: [] },
    } as unknown as MerchantDetail,
    page,
  )
  expect(nothing).toMatchObject({
    acceptsReservations: false,
    aggregateRating: { ratingValue: 4.5, reviewCount: 1, bestRating: 5 },
    openingHoursSpecification: [{ closes: '23:59' }, { closes: '23:59' }],
  })
  for (const name of ['servesCuisine', 'priceRange']) expect(nothing).not.toHaveProperty(name)
  for (const name of ['telephone', 'aggregateRating', 'description', 'hasMenu', 'sameAs']) {
    expect(data).not.toHaveProperty(name)
  }
})

test('a restaurant’s website and menu have their own addresses', () => {
  const links = { website: 'https://bistro.example/', menuUrl: 'https://bistro.example/menu' }
  expect(structuredData({ ...merchant, ...links }, page)).toMatchObject({
    url: 'https://dining.example.com/merchants/corner-bistro',
    sameAs: ['https://bistro.example/'],
    hasMenu: 'https://bistro.example/menu',
  })
})

test('the items of a list and the steps of a way are counted from one', () => {
  const positions = (list: object) =>
    (list as { itemListElement: { position: number }[] }).itemListElement.map(({ position }) => position)
  expect(positions(itemList([merchant, merchant], { name: 'Search', origin: 'https://x.example' }))).toEqual([1, 2])
  const crumbs = ['Home', 'New York'].map((name) => ({ name, path: '/' }))
  expect(positions(breadcrumbList(crumbs, 'https://x.example'))).toEqual([1, 2])
})

test('no value can close the script element', () => {
  const json = scriptJson(structuredData(merchant, page))
  expect(json).not.toContain('<')
  expect(JSON.parse(json).name).toBe(merchant.name)
})
