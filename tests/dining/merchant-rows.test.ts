import { createElement } from 'react'
import { expect, test } from 'vitest'
import { toMerchant } from '../../src/dining/merchants/catalog/to-merchant.ts'
import { getMerchantReviews, listCities, searchMerchants } from '../../src/dining/merchants/contract.ts'
import { Page as Cities } from '../../src/dining/merchants/member/CitiesPage.tsx'
import { MerchantCarousel } from '../../src/dining/merchants/member/embed/MerchantCarousel.tsx'
import { homeOf } from '../../src/dining/merchants/member/embed/use-home.ts'
import { type NamedMerchant, useNamedMerchants } from '../../src/dining/merchants/member/embed/use-named-merchants.ts'
import { MerchantReviews, reviewsOf } from '../../src/dining/merchants/member/MerchantReviews.tsx'
import { apiQueryKey } from '../../src/platform/browser/query.ts'
import { merchantRow } from '../support/merchant-fixtures.ts'
import { type PartOptions, renderHtml, renderText } from '../support/render-part.tsx'

const kumo = toMerchant(merchantRow(), { miles: null, origin: null, today: '2026-11-20' })
const loadedSearch = (query: object, merchants: object[]) =>
  [[apiQueryKey(searchMerchants, { query: query as never }), { merchants }]] as const

const names: NamedMerchant[] = []
function Named({ typed }: { typed: string }) {
  names.push(...useNamedMerchants(typed))
  return null
}

/** Returns the restaurants that a text names, where a search is loaded. */
function namedBy(typed: string, query: object, options: PartOptions = {}): NamedMerchant[] {
  names.length = 0
  renderHtml(createElement(Named, { typed }), { ...options, loaded: loadedSearch(query, [kumo]) })
  return [...names]
}

test('a restaurant is named by its first words, up to a hundred miles from the member’s home, and shown with its city', () => {
  const found = [{ id: kumo.id, name: 'Kumo Sushi', text: 'Kumo Sushi, New York' }]
  const member = { member: { address: { zipCode: '10001' } } }
  const near = { restaurantOrCuisine: 'Kumo Sushi', pageSize: 8, location: '10001', radius: 100 }
  expect(namedBy(' Kumo Sushi , New York', near, member)).toEqual(found)
  const anywhere = { restaurantOrCuisine: 'Kumo Sushi', pageSize: 8 }
  for (const options of [{}, { member: { address: { zipCode: '' } } }])
    expect(namedBy('Kumo Sushi', anywhere, options)).toEqual(found)
  expect(namedBy('x'.repeat(81), { restaurantOrCuisine: 'x'.repeat(80), pageSize: 8 })).toEqual(found)
})

test('a member’s home is a place of searches where its ZIP code has coordinates', () => {
  const home = (zipCode: string) => homeOf({ address: { zipCode } } as never)
  expect([home('10001'), home(''), home('96910'), home('09012'), homeOf(null)]).toEqual(['10001', '', '', '', ''])
})

test('a row of a campaign is everywhere, one of a place is there, and one without results is nothing', () => {
  const row = (query: string, search: object, merchants: object[]) =>
    renderHtml(createElement(MerchantCarousel, { headline: 'Winter', body: 'Warm soups.', query }), {
      loaded: loadedSearch({ ...search, pageSize: 15 }, merchants),
    })
  expect(row('campaignCode=WINTER', { campaignCode: 'WINTER' }, [])).toBe('')
  const campaign = row('campaignCode=WINTER', { campaignCode: 'WINTER' }, [kumo])
  expect(campaign).toContain('href="/search?campaignCode=WINTER"')
  expect(campaign).toContain('Warm soups.')
  expect(campaign).not.toMatch(/Near|&nbsp;|\u00a0/)
  const place = row('location=Chicago&isNew=true', { location: 'Chicago', isNew: true }, [kumo])
  expect(place).toContain('Near Chicago')
  expect(place).toContain('href="/search?location=Chicago&amp;isNew=true"')
  expect(row('location=Chicago', { location: 'Chicago' }, [])).toBe('')
  // Without a place it waits for that of the visitor.
  expect(row('isNew=true', { location: 'elsewhere' }, [])).toContain('Winter')
})

test('ROUTE-042 the list of cities has its numbers and links', () => {
  const city = (name: string, count: number) => ({ slug: `${name.toLowerCase()}-tx`, name, state: 'TX', count })
  const data = {
    states: [{ name: 'Texas', cities: [city('Austin', 1200), city('Waco', 1)] }],
    totalCities: 1300,
    totalRestaurants: 45_000,
  }
  const html = renderHtml(createElement(Cities), { loaded: [[apiQueryKey(listCities, {}), data]] })
  expect(html.replace(/<!-- -->/g, '')).toContain('45,000 restaurants in 1,300 cities where you earn miles.')
  expect(html).toMatch(/<a[^>]*href="\/restaurants\/austin-tx"[^>]*>Austin \(1,200\)<\/a>/)
  expect(html).toMatch(/<a[^>]*href="\/restaurants\/waco-tx"[^>]*>Waco \(1\)<\/a>/)
})

test('MERCH-006 reviews have six on a page, and pages only where there are several', () => {
  const review = { rating: 4, author: 'Ada L.', body: 'Warm bread.', visitedOn: '2026-03-01' }
  expect(reviewsOf('m-1')).toEqual({ params: { merchantId: 'm-1' }, query: { pageNo: 1, resultsPerPage: 6 } })
  const reviews = (totalPages: number) =>
    renderText(createElement(MerchantReviews, { merchantId: 'm-1' }), {
      loaded: [[apiQueryKey(getMerchantReviews, reviewsOf('m-1')), { data: [review], totalPages }]],
    })
  expect(reviews(1)).toContain('Warm bread. Ada L., Mar 1, 2026')
  expect(reviews(1)).not.toContain('Page')
  expect(reviews(3)).toContain('Page 1 of 3')
})
