import { beforeAll, expect, test } from 'vitest'
import { loadMerchantPage } from '../../src/dining/merchants/catalog/merchant-page.ts'
import { locationIdOf, slugOf } from '../../src/dining/merchants/catalog/record.ts'
import type { CityPage, MerchantDetail, SearchFacets, SearchResponse } from '../../src/dining/merchants/contract.ts'
import type { Ctx } from '../../src/platform/http/context.ts'
import { findMerchantsByNetworkId } from '../../src/rewards/awards/current-terms.ts'
import { visit } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { addMerchants, merchantRecord, untilFound } from '../support/merchants.ts'

const app = setUpTestApp()
const everyDay = { type: 'Unlimited', startsOn: '2021-01-01' }
const review = (day: number) => ({ rating: 5, author: 'Ada L.', body: `Day ${day}`, visitedOn: `2026-05-0${day}` })
const record = (sourceId: string, over: Record<string, unknown> = {}) =>
  merchantRecord({ sourceId, name: `Kumo ${sourceId}`, ...over })
const records = {
  plain: record('plain', {
    events: ['2026-03-08', '2026-03-09', '2026-03-10'].map((date) => ({ title: 'Live music', date, text: '' })),
    reviews: [review(1), review(3), review(2)],
    hours: { '5': [['17:30', '25:00']] },
  }),
  acclaimed: record('acclaimed', {
    highlight: 'acclaimed',
    acclaimedLevel: 1,
    reviews: ['Lunch', 'Dinner'].map((body) => ({ ...review(1), body })),
    offers: [
      everyDay,
      { ...everyDay, days: [6], ratePercent: 150, minSpendCents: 2500, hours: { from: '11:00', until: '14:30' } },
    ],
  }),
  bookable: record('bookable', { reservationProvider: 'book', latitude: 40.7695 }),
  chicago: record('chicago', { city: 'Chicago', state: 'IL', latitude: 41.88, longitude: -87.63 }),
  weekdays: record('weekdays', {
    meals: ['lunch'],
    offers: [
      { ...everyDay, days: [1, 2, 3] },
      { ...everyDay, days: [0], endsOn: '2022-01-01', ratePercent: 200 },
      // It earns nothing.
      { ...everyDay, ratePercent: 0 },
    ],
  }),
  left: record('left'),
  stranger: record('stranger', { participating: false, menus: [{ section: 'Dinner', dishes: [] }] }),
}
type Name = keyof typeof records
const slug = (name: Name) => slugOf(records[name])

beforeAll(async () => {
  const { shared } = app.database.pools
  await addMerchants(shared, ...Object.values(records))
  const merchants = shared.updateTable('merchants').set({ participating: false, left_on: '2026-06-01' })
  await merchants.where('source_id', '=', 'left').execute()
  await untilFound(app, 'kumo', 5)
})

const search = async (query: string, partner = 'skyharbor') =>
  (await visit(app, partner).get(`/api/v2/Merchants/Search?${query}`)).json<SearchResponse>()
const found = async (query: string, partner?: string) => {
  const { merchants } = await search(query, partner)
  return merchants.map(({ name }) => name.replace('Kumo ', '')).sort()
}
const detail = (name: Name) => visit(app, 'skyharbor').get(`/api/v2/Merchants/${slug(name)}`)

test('DATA-010 DATA-011 DATA-012 DATA-013 API-023 a search returns cards with their distance and its origin', async () => {
  const response = await search('location=10001&pageSize=1&restaurantOrCuisine=plain')
  expect(response).toMatchObject({
    totalResultSize: 1,
    totalPages: 1,
    pageNo: 1,
    origin: { label: 'New York, NY 10001' },
  })
  expect(response.merchants[0]).toEqual({
    id: slug('plain'),
    name: 'Kumo plain',
    images: { imageBaseUrl: `/art/${slug('plain')}` },
    details: {
      rating: { overallRating: 0, numberOfRatings: 0 },
      priceRange: 0,
      cuisines: ['Japanese'],
      highlight: { comingSoon: false, leavingSoon: false, new: false, acclaimed: false },
    },
    location: {
      address: { address1: '', city: 'New York', state: 'NY', zipCode: '10001' },
      neighborhood: 'Chelsea',
      latitude: 40.7495,
      longitude: -73.9962,
      phone: '',
    },
    distance: expect.closeTo(0.07, 1),
    origin: 'New York, NY 10001',
    acclaimedLevel: 0,
    benefitAvailability: { campaignCodes: [] },
    reservationProviders: [],
    earn: { type: 'Unlimited', days: [0, 1, 2, 3, 4, 5, 6], ratePercent: 100 },
  })
})

test('SRCH-013 SRCH-014 Current Location and Current Map View measure from the given coordinates', async () => {
  for (const location of ['Current+Location', 'Current+Map+View']) {
    const { merchants, origin } = await search(`location=${location}&latitude=41.88&longitude=-87.63`)
    expect(origin).toEqual({ label: location.replaceAll('+', ' '), latitude: 41.88, longitude: -87.63 })
    expect(merchants.map(({ id, distance }) => [id, distance])).toEqual([[slug('chicago'), 0]])
  }
  expect(await found('location=10001&radius=1')).toEqual(['acclaimed', 'plain', 'weekdays'])
  // Coordinates without a location are those of a map; beside a named location they do not count.
  expect((await search('latitude=41.88&longitude=-87.63')).origin?.label).toBe('Current Map View')
  expect((await search('location=10001&latitude=41.88&longitude=-87.63')).origin?.label).toBe('New York, NY 10001')
})

test('SRCH-027 an unknown location is rejected with a message', async () => {
  const response = await visit(app, 'skyharbor').get('/api/v2/Merchants/Search?location=asdfghjkl')
  expect([response.status, response.json().code, response.json().title]).toEqual([
    422,
    'locationUnknown',
    'Enter city, state or ZIP code.',
  ])
})

test('SRCH-012 an unknown field is rejected', async () => {
  const response = await visit(app, 'skyharbor').get('/api/v2/Merchants/Search?location=10001&cuisine=thai')
  expect([response.status, response.json()]).toEqual([400, [{ field: 'cuisine', message: 'Please check this field.' }]])
})

test('the filters acclaimed and reservations apply only in programs that have them', async () => {
  const all = ['acclaimed', 'bookable', 'chicago', 'plain', 'weekdays']
  expect(await found('acclaimed=true')).toEqual(['acclaimed'])
  expect(await found('acclaimed=true', 'gallonaire')).toEqual(all)
  expect(await found('reservations=true')).toEqual(['bookable'])
  expect(await found('reservations=true', 'lantern')).toEqual(all)
})

test('SRCH-029 benefitsFor selects merchants that give rewards on those days by a current offer', async () => {
  expect(await found('benefitsFor=Mon&benefitsFor=Tue&location=10001')).toEqual([
    'acclaimed',
    'bookable',
    'plain',
    'weekdays',
  ])
  expect(await found('benefitsFor=Sun&location=10001')).toEqual(['acclaimed', 'bookable', 'plain'])
})

test('API-024 the same search can be sent as a body, without a token', async () => {
  const body = { location: 'New York, NY', restaurantOrCuisine: 'bookable', pageSize: 5 }
  const response = await visit(app, 'skyharbor').send('POST', '/api/v2/Merchants/Search', body)
  expect([response.status, response.json<SearchResponse>().merchants.map(({ id }) => id)]).toEqual([
    200,
    [slug('bookable')],
  ])
})

test('MERCH-010 a restaurant’s page has current offers, hours and details, and no expired offers', async () => {
  const plain = (await detail('plain')).json<MerchantDetail>()
  expect(plain).toMatchObject({
    participating: true,
    timeZone: 'America/New_York',
    hours: { '5': [['17:30', '25:00']] },
  })
  const { offers } = (await detail('weekdays')).json<MerchantDetail>()
  expect(offers.map(({ type, days, maxSpendCents }) => [type, days, maxSpendCents])).toEqual([
    ['Unlimited', [1, 2, 3], null],
  ])
  const best = (await detail('acclaimed')).json<MerchantDetail>()
  expect(best.offers.map(({ ratePercent }) => ratePercent)).toEqual([150, 100])
  expect(best.earn).toEqual({
    type: 'Unlimited',
    days: [6],
    ratePercent: 150,
    minSpendCents: 2500,
    hours: { from: '11:00', until: '14:30' },
  })
})

test('an unknown restaurant and one that never participated are not found', async () => {
  const visitor = visit(app, 'skyharbor')
  const paths = ['unknown-000000', '..%2f..%2fetc', slug('stranger')].flatMap((id) => [id, `${id}/Reviews`])
  for (const path of paths) {
    const response = await visitor.get(`/api/v2/Merchants/${path}`)
    expect([path, response.status, response.json().code]).toEqual([path, 404, 'merchantNotFound'])
  }
  expect((await visitor.get(`/art/${slug('stranger')}/menu/0`)).status).toBe(404)
})

test('a restaurant that has left still has its page, its picture and its reviews, without offers', async () => {
  const visitor = visit(app, 'skyharbor')
  for (const path of [`/art/${slug('left')}?w=500`, `/api/v2/Merchants/${slug('left')}/Reviews`]) {
    expect([path, (await visitor.get(path)).status]).toEqual([path, 200])
  }
  expect((await visitor.get(`/art/${slug('stranger')}`)).status).toBe(404)
  const left = (await detail('left')).json<MerchantDetail>()
  expect(left).toMatchObject({ name: 'Kumo left', participating: false, offers: [], earn: null })
})

test('MERCH-006 DATA-024 reviews come newest first, in pages with the total count', async () => {
  const read = async (query: string) =>
    (await visit(app, 'skyharbor').get(`/api/v2/Merchants/${slug('plain')}/Reviews?${query}`)).json()
  const first = await read('pageNo=1&resultsPerPage=2')
  expect(first).toMatchObject({ totalResultSize: 3, totalPages: 2 })
  expect(first.data.map(({ body }: { body: string }) => body)).toEqual(['Day 3', 'Day 2'])
  expect((await read('pageNo=2&resultsPerPage=2')).data).toEqual([review(1)])
  expect(await read('pageNo=9&resultsPerPage=2')).toEqual({ data: [], totalResultSize: 3, totalPages: 2 })
  // Of one day, the one that was added last comes first.
  const sameDay = await visit(app, 'skyharbor').get(`/api/v2/Merchants/${slug('acclaimed')}/Reviews`)
  expect(sameDay.json().data.map(({ body }: { body: string }) => body)).toEqual(['Dinner', 'Lunch'])
})

test('suggestions are names and cuisines', async () => {
  const response = await visit(app, 'skyharbor').get('/api/v2/Merchants/Suggest?query=jap')
  expect(response.json()).toEqual({ suggestions: ['Japanese'] })
})

test('the card network’s location leads to the merchant and its offers, also after it has left', async () => {
  const locationId = locationIdOf(records.left)
  const found = await app.database.pools.shared
    .transaction()
    .execute((tx) => findMerchantsByNetworkId(tx, [locationId, 'loc_unknown']))
  expect([...found.keys()]).toEqual([locationId])
  expect(found.get(locationId)).toMatchObject([
    {
      name: records.left.name,
      terms: {
        participating: false,
        joinedOn: '2024-03-01',
        leftOn: '2026-06-01',
        offers: [{ type: 'Unlimited', ratePercent: 100, endsOn: null }],
      },
    },
  ])
})

const facets = async (query: string) =>
  (await visit(app, 'skyharbor').get(`/api/v2/Merchants/Facets?${query}`)).json<SearchFacets>()

test('SRCH-003 every filter shows how many results it would leave', async () => {
  const all = await facets('location=10001')
  expect(all).toMatchObject({ total: 4, acclaimed: 1, isNew: 0, reservations: 1, relaxations: [] })
  const one = await facets('location=10001&reservations=true')
  expect(one).toMatchObject({ total: 1, reservations: 1, acclaimed: 0 })
})

test('SRCH-006 a search without results names the conditions to remove and how many each would return', async () => {
  const { total, relaxations } = await facets('location=10001&isNew=true&restaurantOrCuisine=japanese')
  expect(total).toBe(0)
  expect(relaxations).toEqual([{ without: 'isNew', total: 4 }])
  const far = await facets('location=60601&radius=0.2&restaurantOrCuisine=japanese')
  expect(far.relaxations).toContainEqual({ without: 'radius', total: 1 })
  // The condition whose removal finds most comes first.
  expect((await facets('location=10001&benefitsFor=Sun&mealsServed=lunch')).relaxations).toEqual([
    { without: 'mealsServed', total: 3 },
    { without: 'benefitsFor', total: 1 },
  ])
})

test('SRCH-027 a state is a place: everything in it is found, at any distance', async () => {
  expect(await found('location=Illinois')).toEqual(['chicago'])
  expect(await found('location=IL')).toEqual(['chicago'])
  expect((await search('location=Illinois')).origin?.label).toBe('Illinois')
  expect(await found('location=New+York')).toEqual(['acclaimed', 'bookable', 'plain', 'weekdays'])
})

test('SRCH-004 a map gets the pins of the whole search', async () => {
  const response = await visit(app, 'skyharbor').get('/api/v2/Merchants/Pins?location=10001&pageSize=1&pageNo=2')
  const { pins, total } = response.json<{ pins: { id: string; place: string }[]; total: number }>()
  expect(total).toBe(4)
  expect(pins.map(({ id }) => id).sort()).toEqual(
    (['plain', 'acclaimed', 'bookable', 'weekdays'] as const).map(slug).sort(),
  )
  expect(pins[0]?.place).toBe('Chelsea')
})

test('MERCH-002 MERCH-003 the menu has images, and no other path returns one', async () => {
  const visitor = visit(app, 'skyharbor')
  const menus = [{ section: 'To <begin>', dishes: [{ name: 'Miso & "more"', priceCents: 850 }] }]
  const saved = record('menu', { menus })
  await addMerchants(app.database.pools.shared, saved)
  const { menuImages } = (await visitor.get(`/api/v2/Merchants/${slugOf(saved)}`)).json<MerchantDetail>()
  expect(menuImages).toEqual([{ section: 'To <begin>', url: `/art/${slugOf(saved)}/menu/0` }])
  const image = await visitor.get(menuImages[0]?.url ?? '')
  expect(image.headers['content-type']).toContain('image/svg+xml')
  expect(image.text).toContain('Miso &amp; &quot;more&quot;')
  expect(image.text).not.toContain('<begin>')
  for (const path of ['menu/1', 'menu/-1', 'menu/x']) {
    expect((await visitor.get(`/art/${slugOf(saved)}/${path}`)).status).toBe(404)
  }
})

test('events are shown through their day in the restaurant’s time zone', async () => {
  const db = app.database.pools.forPartner('skyharbor')
  const eventsAt = async (instant: string) => {
    const page = await loadMerchantPage({ db, now: () => new Date(instant) } as Ctx, slug('plain'), new Set())
    return page.events.map(({ date }) => date)
  }
  expect(await eventsAt('2026-03-10T03:59:59Z')).toEqual(['2026-03-09', '2026-03-10'])
  expect(await eventsAt('2026-03-10T04:00:00Z')).toEqual(['2026-03-10'])
})

test('RESV-032 a restaurant whose reservation provider is not connected here is shown without reservations', async () => {
  const [own, remote] = ['book', 'http'].map((reservationProvider) =>
    merchantRecord({
      sourceId: `denver-${reservationProvider}`,
      name: `Cumulus ${reservationProvider}`,
      city: 'Denver',
      state: 'CO',
      zipCode: '80202',
      latitude: 39.75,
      longitude: -105,
      reservationProvider,
      reservationRef: 'r-9',
    }),
  ) as [ReturnType<typeof merchantRecord>, ReturnType<typeof merchantRecord>]
  await addMerchants(app.database.pools.shared, own, remote)
  await untilFound(app, 'cumulus', 2)
  const [ownId, remoteId] = [slugOf(own), slugOf(remote)]
  const providers = (merchants: readonly { id: string; reservationProviders: string[] }[]) =>
    Object.fromEntries(merchants.map((merchant) => [merchant.id, merchant.reservationProviders]))
  const expected = { [ownId]: ['book'], [remoteId]: [] }
  const visitor = visit(app, 'skyharbor')
  const list = 'restaurantOrCuisine=cumulus&location=80202'
  expect(providers((await search(list)).merchants)).toEqual(expected)
  expect(providers((await search(`${list}&reservations=true`)).merchants)).toEqual({ [ownId]: ['book'] })
  expect(await facets(list)).toMatchObject({ total: 2, reservations: 1 })
  const city = (await visitor.get('/api/v2/Cities/denver-co')).json<CityPage>()
  expect(providers(city.merchants)).toMatchObject(expected)
  const pages = await Promise.all([ownId, remoteId].map((id) => visitor.get(`/api/v2/Merchants/${id}`)))
  expect(providers(pages.map((page) => page.json<MerchantDetail>()))).toEqual(expected)
})
