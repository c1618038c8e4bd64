import { expect, test } from 'vitest'
import { slugOf } from '../catalog/record.ts'
import { milesBetween } from '../rules.ts'
import { generateMerchants } from './generate-merchants.ts'

const merchants = generateMerchants()

test('there are five thousand restaurants in forty metropolitan areas, each with its own address', () => {
  expect(merchants.length).toBeGreaterThanOrEqual(5_000)
  expect(new Set(merchants.map(({ city, state }) => `${city}, ${state}`)).size).toBeGreaterThanOrEqual(40)
  expect(new Set(merchants.map(slugOf)).size).toBe(merchants.length)
})

test('the same restaurants are generated every time', () => {
  expect(generateMerchants({ count: 50 })).toEqual(generateMerchants({ count: 50 }))
})

test('the ratings match the reviews', () => {
  for (const { rating, reviews } of merchants) {
    expect(rating).toEqual({ sum: reviews.reduce((sum, review) => sum + review.rating, 0), count: reviews.length })
  }
})

test('a first search for sushi near 10001 finds a dozen within three miles', () => {
  const near = merchants.filter(
    (merchant) =>
      merchant.cuisines.includes('Sushi') && milesBetween(merchant, { latitude: 40.7506, longitude: -73.9972 }) < 3,
  )
  expect(near.length).toBeGreaterThanOrEqual(12)
})

test('every phone number and link is reserved for examples', () => {
  for (const { phone, website, ordering } of merchants) {
    expect(phone).toMatch(/^\d{3}-555-01\d{2}$/)
    for (const url of [website, ...ordering.map((link) => link.url)])
      expect(new URL(url).hostname).toMatch(/example\.(com|org)$/)
  }
})

test('MERCH-008 restaurants with online ordering have a link to order by, and some offer nothing else', () => {
  for (const { features, ordering } of merchants) expect(features.includes('onlineOrdering')).toBe(ordering.length > 0)
  const only = merchants.filter(({ features }) => features.join() === 'onlineOrdering')
  expect(only.length).toBeGreaterThan(0)
  expect(only.every(({ reservationProvider }) => reservationProvider === null)).toBe(true)
})
