import { expect, test } from 'vitest'
import { sampleRow } from '../search/snapshot/sample-row.ts'
import type { MerchantRow } from './store.ts'
import { toMerchant } from './to-merchant.ts'

const seen = { miles: null, origin: null, today: '2026-11-20' }
const offer = {
  ...(sampleRow.offers[0] as MerchantRow['offers'][number]),
  startsOn: '2026-01-01',
  endsOn: null,
  hours: null,
  minSpendCents: 0,
}
const earnOf = (...offers: MerchantRow['offers']) => toMerchant({ ...sampleRow, offers }, seen).earn

test('a card has the first of the offers of the day, with the terms that it has', () => {
  const plain = { type: offer.type, days: offer.days, ratePercent: 100 }
  const current = { ...offer, ratePercent: 100 }
  const others = [
    { ...offer, ratePercent: 300, endsOn: '2026-11-19' },
    { ...offer, ratePercent: 200, startsOn: '2026-11-21' },
    { ...offer, ratePercent: 0 },
  ]
  expect([earnOf(), earnOf(...others), earnOf(...others, current)]).toEqual([null, null, plain])
  expect(earnOf({ ...current, endsOn: '2026-11-20' })).toEqual(plain)
  const hours = { from: '16:00', until: '18:30' }
  expect(earnOf({ ...current, hours, minSpendCents: 2500 })).toEqual({ ...plain, hours, minSpendCents: 2500 })
})

test('a distance has two decimals, also a very short one, and no distance is none', () => {
  const distance = (miles: number | null) => toMerchant(sampleRow, { ...seen, miles }).distance
  expect([distance(1.005), distance(0.004), distance(0), distance(null)]).toEqual([1, 0, 0, null])
})

test('each highlight is marked alone, and a restaurant without a rating has none', () => {
  const detailsOf = (over: Partial<MerchantRow>) => toMerchant({ ...sampleRow, ...over }, seen).details
  for (const highlight of ['comingSoon', 'leavingSoon', 'new', 'acclaimed', null]) {
    const marked = Object.entries(detailsOf({ highlight }).highlight).flatMap(([name, is]) => (is ? [name] : []))
    expect(marked).toEqual(highlight === null ? [] : [highlight])
  }
  expect(detailsOf({ ratingSum: 14, ratingCount: 3 }).rating).toEqual({ overallRating: 4.7, numberOfRatings: 3 })
  expect(detailsOf({ ratingSum: 0, ratingCount: 0 }).rating).toEqual({ overallRating: 0, numberOfRatings: 0 })
})
