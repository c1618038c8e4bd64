import { expect, test } from 'vitest'
import type { MerchantDetail } from '../contract.ts'
import { scriptJson, structuredData } from './structured-data.ts'

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
  for (const name of ['telephone', 'aggregateRating', 'description', 'hasMenu', 'sameAs']) {
    expect(data).not.toHaveProperty(name)
  }
})

test('no value can close the script element', () => {
  const json = scriptJson(structuredData(merchant, page))
  expect(json).not.toContain('<')
  expect(JSON.parse(json).name).toBe(merchant.name)
})
