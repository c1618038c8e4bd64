import { createElement } from 'react'
import { expect, test } from 'vitest'
import { toMerchant } from '../../src/dining/merchants/catalog/to-merchant.ts'
import {
  type CityPage,
  getCity,
  getSearchFacets,
  type Pin,
  type SearchResponse,
} from '../../src/dining/merchants/contract.ts'
import { Page as City } from '../../src/dining/merchants/member/CityPage.tsx'
import { usePinFacts } from '../../src/dining/merchants/member/embed/use-pin-facts.ts'
import { FilterDialog } from '../../src/dining/merchants/member/FilterDialog.tsx'
import { SearchControls } from '../../src/dining/merchants/member/SearchControls.tsx'
import { ResultCount, SearchResults } from '../../src/dining/merchants/member/SearchResults.tsx'
import {
  LocationBlocked,
  NoResults,
  OtherSearches,
  PastEnd,
  SearchFailure,
} from '../../src/dining/merchants/member/search-states.tsx'
import { queryOf, readSearch } from '../../src/dining/merchants/search-address.ts'
import { apiQueryKey } from '../../src/platform/browser/query.ts'
import { suggestLocations } from '../../src/programs/places/contract.ts'
import { merchantRow } from '../support/merchant-fixtures.ts'
import { type PartOptions, renderHtml, renderText, textOf } from '../support/render-part.tsx'

const merchant = (id: number) => toMerchant(merchantRow({ id }), { miles: null, origin: null, today: '2026-11-20' })
const stateOf = (search: string) => readSearch(new URLSearchParams(search))
const hrefs = (html: string) =>
  [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
const pointing = { pointed: null, onPoint: () => {} }

const origin = (label: string) => ({ label, latitude: 40.7, longitude: -74 })

function results(search: string, over: Partial<SearchResponse>, placeName: string | null = null) {
  const response = { merchants: [], totalResultSize: 12, totalPages: 2, pageNo: 1, origin: null, ...over }
  const given = { state: stateOf(search), response }
  return createElement(
    'div',
    null,
    createElement(ResultCount, { ...given, placeName }),
    createElement(SearchResults, { ...given, pointing }),
  )
}

test('the heading of results names where they are, and one result is one', () => {
  const heading = (...given: Parameters<typeof results>) => renderText(results(...given)).split(' Page ')[0]
  expect(heading('campaignCode=WINTER', { totalResultSize: 1200 })).toBe('1,200 restaurants')
  expect(heading('location=Current+Map+View', { origin: origin('Current Map View') })).toBe(
    '12 restaurants on this map',
  )
  expect(heading('location=Current+Location', { origin: origin('Current Location') })).toBe(
    '12 restaurants in this area',
  )
  expect(heading('', { origin: origin('Current Map View') })).toBe('12 restaurants in this area')
  expect(heading('', { origin: origin('Current Map View') }, 'New York, NY')).toBe('12 restaurants near New York, NY')
  expect(heading('location=60601', { origin: origin('Chicago, IL 60601') })).toBe(
    '12 restaurants near Chicago, IL 60601',
  )
  const one = { totalResultSize: 1, totalPages: 1, origin: origin('Chicago, IL') }
  expect(heading('location=Chicago', one)).toBe('One restaurant near Chicago, IL')
  expect([
    heading('location=Current+Map+View', one),
    heading('location=Current+Location', { ...one, origin: origin('Current Location') }),
    heading('campaignCode=WINTER', { ...one, origin: null }),
  ]).toEqual(['One restaurant on this map', 'One restaurant in this area', 'One restaurant'])
})

test('a page of results links the one before and the one after, with the whole search', () => {
  const links = (pageNo: number, totalPages = 4) =>
    hrefs(renderHtml(results(`location=10001&isNew=true&pageNo=${pageNo}`, { pageNo, totalPages })))
  const address = (pageNo: number) =>
    `/search?location=10001${pageNo === 1 ? '' : `&pageNo=${pageNo}`}&isNew=true`.split('&').sort().join('&')
  const sorted = (pageNo: number, totalPages?: number) =>
    links(pageNo, totalPages).map((href) => href.split('&').sort().join('&'))
  expect([sorted(1), sorted(3), sorted(4), sorted(1, 1)]).toEqual([
    [address(2)],
    [address(2), address(4)],
    [address(3)],
    [],
  ])
})

/** Renders a search without results. */
function none(search: string, place: string | null, { locations = [] as string[], relaxations = [] as object[] } = {}) {
  const state = stateOf(search)
  const given = { query: queryOf(state) } as Parameters<typeof OtherSearches>[0]['given']
  const [typed = ''] = state.location.split(',')
  const loaded = [
    [apiQueryKey(getSearchFacets, given), { relaxations }],
    [apiQueryKey(suggestLocations, { query: { query: typed } }), { locations }],
  ] as const
  const parts = [createElement(NoResults, { state, place }), createElement(OtherSearches, { state, given, place })]
  return renderHtml(createElement('div', null, ...parts), { loaded })
}

test('SRCH-006 a search without results says what was looked for and where, and a place without restaurants says that', () => {
  expect(textOf(none('location=60601&sortBy=rating', 'Chicago, IL'))).toContain('No restaurants near Chicago, IL')
  const text = textOf(none('location=60601&restaurantOrCuisine=sushi', 'Chicago, IL'))
  expect(text).toContain('We looked for “sushi” near Chicago, IL.')
  expect(text).not.toContain('Clear filters')
  const filtered = none('location=60601&isNew=true&sortBy=rating&pageNo=3', 'Chicago, IL')
  expect(textOf(filtered)).toContain('We looked near Chicago, IL.')
  // The order is no condition.
  expect(hrefs(filtered)).toEqual(['/search?location=60601&sortBy=rating'])
  for (const place of [null, 'Current Location', 'Current Map View'])
    expect(textOf(none('restaurantOrCuisine=sushi', place))).not.toContain('We looked')
  expect(hrefs(none('location=60601&restaurantOrCuisine=sushi&isNew=true', 'Chicago, IL'))).toEqual([
    '/search?location=60601&restaurantOrCuisine=sushi',
  ])
})

test('SRCH-006 each condition without which something is found is a link to that search', () => {
  const relaxations = [
    { without: 'isNew', total: 1200 },
    { without: 'radius', total: 3 },
  ]
  const html = none('location=60601&radius=2&isNew=true&pageNo=2', 'Chicago, IL', { relaxations })
  expect(textOf(html)).toContain('Without “New”: 1,200')
  expect(hrefs(html).slice(-2)).toEqual([
    '/search?location=60601&radius=2',
    '/search?location=60601&radius=100&isNew=true',
  ])
})

test('other places with the typed name are suggested, at their first page, and not the one that was searched', () => {
  const locations = ['London, KY', 'London, OH', 'Londonderry, NH', 'London Mills, IL']
  const html = none('location=london,+KY&radius=3&isNew=true&pageNo=2', 'London, KY', { locations })
  const [other, ...more] = hrefs(html).filter((href) => href.includes('London'))
  expect([other, more]).toEqual(['/search?location=London%2C+OH&isNew=true', []])
  expect(textOf(none('location=60601', null, { locations: ['60601, Chicago'] }))).not.toContain('Other places')
  const here = none('location=Current+Location', null, { locations: ['Current Location, OH'] })
  expect(textOf(here)).not.toContain('Other places')
})

test('a search past its last page, and one around a device that cannot be located, lead on with their filters', () => {
  const state = stateOf('location=Current+Location&isNew=true&pageNo=9')
  expect(hrefs(renderHtml(createElement(PastEnd, { state, totalPages: 3 })))).toEqual([
    '/search?location=Current+Location&pageNo=3&isNew=true',
  ])
  const past = (totalPages: number) => renderText(createElement(PastEnd, { state, totalPages }))
  expect([past(3), past(1)]).toEqual([
    expect.stringContaining('This search has 3 pages.'),
    expect.stringContaining('This search has one page.'),
  ])
  expect(hrefs(renderHtml(createElement(LocationBlocked, { state })))).toEqual([
    '/search?location=New+York%2C+NY&isNew=true',
  ])
})

test('SRCH-008 a failed search differs from one without a connection and from one of an unknown place', () => {
  const failure = (unknownPlace: string | null, offline: boolean) =>
    renderText(createElement(SearchFailure, { unknownPlace, offline, onRetry: () => {} }))
  expect(failure(null, false)).toBe('The search didn’t work Please try again in a moment. Try again')
  expect(failure(null, true)).not.toContain('The search didn’t work')
  expect(failure(null, true)).toContain('Try again')
  expect(failure('Xyzzy', false)).toBe('We could not find “Xyzzy” Enter city, state or ZIP code.')
})

const Facts = ({ of }: { of: Pin }) => usePinFacts()(of)

test('the card of a pin has the rate for those who see it, and the price range', () => {
  const pin = { priceRange: 2, ratePercent: 200, acclaimedLevel: 0 } as Pin
  const facts = (over: Partial<Pin>, options: PartOptions = {}) =>
    renderText(createElement(Facts, { of: { ...pin, ...over } }), options)
  const member = { member: { tierLevel: 'OptedIn' } }
  expect([facts({}), facts({ priceRange: 0 })]).toEqual(['$$', ''])
  expect([facts({}, member), facts({ ratePercent: null }, member)]).toEqual(['Earn 6 miles per dollar · $$', '$$'])
  expect(facts({ priceRange: 0 }, { partner: 'lantern' })).toBe('Earn up to 6% in rewards')
  const orchard = { ...member, partner: 'orchard' }
  expect([facts({ acclaimedLevel: 2 }, orchard), facts({ acclaimedLevel: 1 }, orchard)]).toEqual([
    '$$',
    'Earn 6 points per dollar · $$',
  ])
  expect(facts({ acclaimedLevel: 2 }, member)).toContain('miles')
})

const chelsea = { slug: 'new-york-ny', name: 'New York', state: 'NY', count: 1200 }
const cuisines = [
  { slug: 'japanese', name: 'Japanese', count: 40 },
  { slug: 'pizza', name: 'Pizza', count: 12 },
]

/** Renders the page of a city; `typed` is the number of the page in the address. */
function city(
  over: Partial<CityPage>,
  { cuisine, pageNo, typed = pageNo?.toString() }: { cuisine?: string; pageNo?: number; typed?: string } = {},
) {
  const page = { city: chelsea, cuisine: null, merchants: [1, 2].map(merchant), totalResultSize: 1200, totalPages: 120 }
  const data = { ...page, pageNo: pageNo ?? 1, cuisines, neighbors: [], ...over }
  const query = { ...(cuisine !== undefined && { cuisine }), ...(pageNo !== undefined && { pageNo }) }
  const loaded = [[apiQueryKey(getCity, { params: { city: chelsea.slug }, query }), data]] as const
  const search = typed === undefined ? '' : `?pageNo=${typed}`
  const path = `/restaurants/${chelsea.slug}${cuisine === undefined ? '' : `/${cuisine}`}${search}`
  const params = { city: chelsea.slug, ...(cuisine !== undefined && { cuisine }) }
  return renderHtml(createElement(City), { path, params, loaded })
}

test('ROUTE-042 the page of a city links its cuisines, the pages of a cuisine the others, and both their neighbors', () => {
  const links = (html: string) => hrefs(html).filter((href) => /^\/restaurants\/[^?]*$/.test(href))
  expect(links(city({}))).toEqual(
    expect.arrayContaining(cuisines.map(({ slug }) => `/restaurants/new-york-ny/${slug}`)),
  )
  const neighbors = [{ slug: 'yonkers-ny', name: 'Yonkers', state: 'NY', count: 3 }]
  const pizza = city(
    { cuisine: cuisines[1] as never, totalResultSize: 12, totalPages: 2, neighbors },
    { cuisine: 'pizza' },
  )
  expect(textOf(pizza)).toContain('Pizza restaurants in New York, NY')
  expect(textOf(pizza)).toContain('12 restaurants where you earn miles')
  const listed = links(pizza).slice(links(pizza).indexOf('/restaurants/new-york-ny/japanese'))
  expect(listed).toEqual(['/restaurants/new-york-ny/japanese', '/restaurants/yonkers-ny'])
  expect(textOf(pizza)).toMatch(/Yonkers, NY \(3\)/)
  // Its other pages are those of the cuisine.
  expect(hrefs(pizza)).toContain('/restaurants/new-york-ny/pizza?pageNo=2')
  expect(hrefs(pizza)).toContain('/search?location=New+York%2C+NY')
})

test('ROUTE-042 a city with one restaurant says so, and a further page has its number', () => {
  const one = textOf(city({ totalResultSize: 1, totalPages: 1 }))
  expect(one).toContain('One restaurant where you earn miles.')
  expect(one).not.toContain('Page')
  const pizzaPage = { cuisine: cuisines[1] as never }
  const aboutOf = (html: string) => /name="description" content="([^"]*)/.exec(html)?.[1]
  const abouts = [
    city({}),
    city({ totalResultSize: 1 }),
    city(pizzaPage, { cuisine: 'pizza' }),
    city({ ...pizzaPage, totalResultSize: 1 }, { cuisine: 'pizza' }),
  ].map(aboutOf)
  expect(abouts).toEqual(
    [
      'at 1,200 restaurants in New',
      'at a restaurant in New',
      'at 1,200 Pizza restaurants',
      'at this Pizza restaurant in',
    ].map((part) => expect.stringContaining(part)),
  )
  const last = hrefs(city({}, { pageNo: 120 }))
  expect(last.filter((href) => href.endsWith('=121'))).toEqual([])
  expect(last.filter((href) => href.endsWith('=119')).length).toBeGreaterThan(0)
  const second = city({}, { pageNo: 2 })
  expect(textOf(second)).toContain('1,200 restaurants where you earn miles')
  expect(textOf(second)).toContain('Page 2 of 120')
  const titleOf = (html: string) => /<title>([^<]*)/.exec(html)?.[1]
  const name = 'Skyharbor Miles Dining'
  expect([titleOf(city({})), titleOf(second)]).toEqual([
    `Restaurants in New York, NY · ${name}`,
    `Restaurants in New York, NY, Page 2 · ${name}`,
  ])
  expect(hrefs(second)).toEqual(
    expect.arrayContaining([
      '/restaurants/new-york-ny',
      '/restaurants/new-york-ny?pageNo=3',
      '/restaurants/new-york-ny?pageNo=120',
    ]),
  )
})

test('ROUTE-042 each page of a city is linked once, and a number that no page has is the first or a whole one', () => {
  const numbers = (html: string) =>
    [...html.matchAll(/aria-label="Page (\d+)"(?: aria-current="(page)")?/g)].map(([, number, current]) =>
      current ? `(${number})` : number,
    )
  expect(numbers(city({ totalPages: 3 }))).toEqual(['(1)', '2', '3'])
  expect(numbers(city({ totalPages: 3 }, { pageNo: 3 }))).toEqual(['1', '2', '(3)'])
  expect(numbers(city({ totalPages: 9 }, { pageNo: 5 }))).toEqual(['1', '3', '4', '(5)', '6', '7', '9'])
  for (const [typed, pageNo] of [
    ['-2', undefined],
    ['0', undefined],
    ['x', undefined],
    ['2.9', 2],
    ['10001', 10_000],
  ] as const)
    expect(textOf(city({}, { ...(pageNo && { pageNo }), typed }))).toContain('Restaurants in New York, NY')
})

test('the images of the first two restaurants are loaded at once, the others when they come into view', () => {
  const merchants = [1, 2, 3, 4].map(merchant)
  for (const html of [renderHtml(results('location=10001', { merchants })), city({ merchants })])
    expect([...html.matchAll(/ loading="(\w+)"/g)].map(([, loading]) => loading)).toEqual([
      'eager',
      'eager',
      'lazy',
      'lazy',
    ])
})

const switches = { acclaimed: 'Acclaimed', isNew: 'New', reservations: 'Takes reservations' }
const settings = [{}, { acclaimedEnabled: false }, { openTableReservationsEnabled: false }]

test('SRCH-019 SRCH-022 a filter is offered where the program has it and does not disable it', () => {
  const filters = [...Object.keys(switches), 'benefitsFor'] as never
  const chips = (config: object) => {
    const controls = createElement(SearchControls, { state: stateOf(''), given: { query: {} as never } })
    return [...renderHtml(controls, { config: { filters, ...config } }).matchAll(/aria-pressed="false"[^>]*>([^<]*)</g)]
      .map(([, name]) => name)
      .filter((name) => name !== 'Earns today')
  }
  const inDialog = (config: object, visible: string[]) => {
    const props = { state: stateOf(''), given: { query: {} as never }, onClose: () => {}, onApply: () => {} }
    const text = renderText(createElement(FilterDialog, { ...props, visible: new Set(visible) }), { config })
    return Object.values(switches).filter((name) => new RegExp(`(^| )${name}( |$)`).test(text))
  }
  const [all, plain, withoutTables] = [
    ['Acclaimed', 'New', 'Takes reservations'],
    ['New', 'Takes reservations'],
    ['Acclaimed', 'New'],
  ]
  expect(settings.map(chips)).toEqual([all, plain, withoutTables])
  const visible = Object.keys(switches)
  expect(settings.map((config) => inDialog(config, visible))).toEqual([all, plain, withoutTables])
  expect(chips({ filters: ['acclaimed'] })).toEqual(['Acclaimed'])
  expect([inDialog({}, ['isNew']), inDialog({}, ['mealsServed'])]).toEqual([['New'], []])
})
