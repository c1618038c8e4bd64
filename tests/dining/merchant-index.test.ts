import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MerchantRow } from '../../src/dining/merchants/catalog/store.ts'
import { milesBetween, offersOn } from '../../src/dining/merchants/rules.ts'
import { Feature, Meal } from '../../src/dining/merchants/schemas.ts'
import { localDates } from '../../src/dining/merchants/search/local-dates.ts'
import { MerchantIndex } from '../../src/dining/merchants/search/merchant-index.ts'
import type { SearchFilter } from '../../src/dining/merchants/search/query.ts'
import {
  field,
  matchWord,
  requiredWords,
  scoreWord,
  wholeNameBonus,
} from '../../src/dining/merchants/search/relevance.ts'
import { wordsOf } from '../../src/dining/merchants/search/text.ts'
import { merchantRow, searchFilter } from '../support/merchant-fixtures.ts'
import { scaled } from '../support/scale.ts'

const whole = { pageNo: 1, pageSize: 10_000 }
const union = ['Kumo', 'Sushi', 'Golden', 'Café', 'Jasmin', 'Rock', 'City', 'Pizza', 'Chelsea', 'The']

const row: fc.Arbitrary<Partial<MerchantRow>> = fc.record({
  name: fc.array(fc.constantFrom(...union), { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
  cuisines: fc.subarray(['Japanese', 'Pizza', 'Café', 'Middle Eastern']),
  features: fc.subarray([...Feature.options]),
  meals: fc.subarray([...Meal.options]),
  priceRange: fc.nat(4),
  ratingSum: fc.nat(25),
  ratingCount: fc.constantFrom(0, 5, 6),
  highlight: fc.constantFrom(null, 'new', 'acclaimed', 'comingSoon', 'leavingSoon'),
  acclaimedLevel: fc.nat(2),
  campaignCodes: fc.subarray(['WINTER', 'LUNCH']),
  address1: fc.constantFrom('91-07 31st Avenue', '5 Main Street', ''),
  city: fc.constantFrom('New York', 'Rock City'),
  zipCode: fc.constantFrom('10001', '60614', ''),
  neighborhood: fc.constantFrom('Chelsea', 'Golden Mile', ''),
  // Some at the same point, most within one search.
  latitude: fc.oneof(fc.constantFrom(40.7, 40.75), fc.double({ min: 40.2, max: 41.2, noNaN: true })),
  longitude: fc.oneof(fc.constantFrom(-74, -73.9), fc.double({ min: -74.5, max: -73.5, noNaN: true })),
  reservationProvider: fc.constantFrom(null, 'book'),
  participating: fc.boolean(),
  joinedOn: fc.constantFrom('2024-03-01', '2025-01-01'),
  offers: fc.array(
    fc.record({
      days: fc.subarray([0, 1, 2, 3, 4, 5, 6]),
      startsOn: fc.constantFrom('2021-01-01', '2026-12-01'),
      endsOn: fc.constantFrom(null, '2026-11-19', '2026-11-20'),
      ratePercent: fc.constantFrom(0, 100, 150),
    }),
    { maxLength: 2 },
  ) as unknown as fc.Arbitrary<MerchantRow['offers']>,
})

// A merchant with a known id replaces its earlier version.
const rows = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 40 }), row), { maxLength: 60 })
  .map((list) => list.map(([id, over]) => merchantRow({ ...over, id })))

const filter = fc
  .record({
    text: fc.constantFrom(
      ...',,sushi,kumo sushi,the rock,restaurants,piz,pzza chelsea,golden 10001,main st,jasnin cafe'.split(','),
      ...'middle eastern,rock city,falafel,zzzz,k,avenue ny'.split(','),
    ),
    origin: fc.constantFrom(null, { latitude: 40.7, longitude: -74 }, { latitude: 40.76, longitude: -73.95 }),
    radius: fc.constantFrom(0.1, 5, 25, 100),
    sortBy: fc.constantFrom('distance', 'rating', 'name', 'newest', 'relevance'),
    acclaimed: fc.boolean(),
    isNew: fc.boolean(),
    reservations: fc.boolean(),
    features: fc.subarray([...Feature.options], { maxLength: 2 }),
    mealsServed: fc.subarray([...Meal.options]),
    earnDays: fc.subarray([0, 3, 6]),
    priceRange: fc.subarray([1, 2, 3, 4]),
    campaignCode: fc.constantFrom(null, null, 'WINTER'),
  })
  // Most searches use few filters; all filters together find nothing.
  .chain(({ text, origin, radius, sortBy, ...filters }) =>
    fc.subarray(Object.keys(filters), { maxLength: 2 }).map((used) => {
      const chosen = Object.entries(filters).filter(([name]) => used.includes(name))
      return searchFilter({ text, origin, radius, sortBy, ...(Object.fromEntries(chosen) as Partial<SearchFilter>) })
    }),
  )

function scoreOf(merchant: MerchantRow, text: string, fuzzy: boolean): number | null {
  const { required, optional, count } = requiredWords(wordsOf(text))
  const names = wordsOf(merchant.name)
  const fields = new Map<string, number>()
  const put = (bit: number, words: string[]) => {
    for (const word of words) fields.set(word, (fields.get(word) ?? 0) | bit)
  }
  put(field.name, names)
  put(field.cuisine, merchant.cuisines.flatMap(wordsOf))
  put(field.neighborhood, wordsOf(merchant.neighborhood))
  put(field.city, wordsOf(`${merchant.city} ${merchant.zipCode}`))
  put(field.address, wordsOf(`${merchant.address1} ${merchant.state}`))
  let score = 0
  for (const typed of required) {
    const values = [...fields].map(([word, bits]) => scoreWord(matchWord(typed, word, fuzzy), bits, names.length))
    const best = Math.max(...values)
    if (best === 0) return null
    score += best
  }
  if (required.length === 0) return 0
  for (const typed of optional) {
    score += scoreWord({ quality: 1, fields: field.name }, fields.get(typed) ?? 0, names.length)
  }
  const isNamed = (typed: string) => names.some((word) => matchWord(typed, word, fuzzy).fields & field.name)
  const isWholeName =
    count === names.length && required.every(isNamed) && optional.every((typed) => names.includes(typed))
  return isWholeName ? score + wholeNameBonus : score
}

const scores = new WeakMap<MerchantRow, Map<string, number | null>>()

function knownScoreOf(merchant: MerchantRow, text: string, fuzzy: boolean): number | null {
  const known = scores.get(merchant) ?? new Map<string, number | null>()
  scores.set(merchant, known)
  const key = `${fuzzy} ${text}`
  if (!known.has(key)) known.set(key, scoreOf(merchant, text, fuzzy))
  return known.get(key) as number | null
}

function bruteForceFound(merchants: readonly MerchantRow[], wanted: SearchFilter, fuzzy: boolean) {
  const { origin } = wanted
  return merchants.flatMap((merchant) => {
    const miles = origin ? milesBetween(origin, merchant) : 0
    const score = knownScoreOf(merchant, wanted.text, fuzzy)
    const mean = merchant.ratingCount && Math.round((merchant.ratingSum / merchant.ratingCount) * 10)
    const days = offersOn(merchant.offers, '2026-11-20').flatMap(({ days, ratePercent }) =>
      ratePercent > 0 ? days : [],
    )
    const fits =
      merchant.participating &&
      score !== null &&
      (!origin || miles <= wanted.radius) &&
      (!wanted.acclaimed || merchant.acclaimedLevel > 0 || merchant.highlight === 'acclaimed') &&
      (!wanted.isNew || merchant.highlight === 'new') &&
      (!wanted.reservations || merchant.reservationProvider !== null) &&
      (wanted.priceRange.length === 0 || wanted.priceRange.includes(merchant.priceRange)) &&
      (wanted.mealsServed.length === 0 || wanted.mealsServed.some((meal) => merchant.meals.includes(meal))) &&
      wanted.features.every((feature) => merchant.features.includes(feature)) &&
      wanted.earnDays.every((day) => days.includes(day)) &&
      (wanted.campaignCode === null || merchant.campaignCodes.includes(wanted.campaignCode))
    return fits ? [{ ...merchant, miles, score, mean, sortName: wordsOf(merchant.name).join(' ') }] : []
  })
}

/** Reference implementation: scans every merchant. */
function bruteForceSearch(merchants: readonly MerchantRow[], wanted: SearchFilter): number[] {
  const { origin } = wanted
  let hits = bruteForceFound(merchants, wanted, false)
  if (hits.length === 0) hits = bruteForceFound(merchants, wanted, true)
  type Hit = (typeof hits)[number]
  const text = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)
  const near = (a: Hit, b: Hit) => a.miles - b.miles
  const rating = (a: Hit, b: Hit) => b.mean - a.mean || b.ratingCount - a.ratingCount
  const relevance = (a: Hit, b: Hit) => b.score - a.score
  const orders = {
    distance: (a: Hit, b: Hit) => (origin ? near(a, b) : relevance(a, b) || rating(a, b)),
    rating: (a: Hit, b: Hit) => rating(a, b) || near(a, b),
    name: (a: Hit, b: Hit) => text(a.sortName, b.sortName) || near(a, b),
    newest: (a: Hit, b: Hit) => text(b.joinedOn, a.joinedOn) || near(a, b),
    relevance: (a: Hit, b: Hit) => relevance(a, b) || near(a, b) || rating(a, b),
  }
  return hits.sort((a, b) => orders[wanted.sortBy](a, b) || a.id - b.id).map(({ id }) => id)
}

const lastOf = (merchants: readonly MerchantRow[]) => [...new Map(merchants.map((each) => [each.id, each])).values()]
const byId = (merchants: readonly MerchantRow[]) => lastOf(merchants).toSorted((a, b) => a.id - b.id)
/** Makes small indexes search as large ones do. */
const asIfLarge = { listed: 1, compared: 2 }

/** Builds an index of the first merchants, and changes it merchant by merchant and at once. */
const indexOf = async (merchants: readonly MerchantRow[], limits?: typeof asIfLarge) => {
  const third = Math.floor(merchants.length / 3)
  let index = MerchantIndex.of(byId(merchants.slice(0, third)), limits)
  for (const merchant of merchants.slice(third, third + 3)) index = await index.withChanges([merchant])
  return index.withChanges(merchants.slice(third + 3))
}
const idsOf = (index: MerchantIndex, wanted: SearchFilter, page = whole) =>
  index.search(wanted, page).rows.map(({ row: { id } }) => id)

test('SRCH-016 SRCH-028 SRCH-029 a search returns, in order, what checking every merchant returns', async () => {
  await fc.assert(
    fc.asyncProperty(rows, filter, async (merchants, wanted) => {
      const index = await indexOf(merchants)
      const expected = bruteForceSearch(lastOf(merchants), wanted)
      expect(idsOf(index, wanted)).toEqual(expected)
      expect(index.search(wanted, { pageNo: 1, pageSize: 3 }).total).toBe(expected.length)
    }),
    { numRuns: scaled({ full: 2000, short: 150 }) },
  )
})

test('SRCH-016 SRCH-028 SRCH-029 what is done to search many merchants quickly does not change what is found', async () => {
  const many = fc.sample(row, { numRuns: 300, seed: 1 }).map((over, index) => merchantRow({ ...over, id: index + 1 }))
  const participating = many.map((merchant) => ({ ...merchant, participating: true }))
  let index = MerchantIndex.of(participating, asIfLarge)
  index = await index.withChanges(participating.slice(0, 20))
  fc.assert(
    fc.property(filter, fc.integer({ min: 1, max: 3 }), (wanted, pageNo) => {
      const expected = bruteForceSearch(participating, wanted)
      expect(idsOf(index, wanted, { pageNo, pageSize: 3 })).toEqual(expected.slice(3 * (pageNo - 1), 3 * pageNo))
      expect(index.search(wanted, { pageNo: 1, pageSize: 3 }).total).toBe(expected.length)
      expect(index.count(wanted)).toEqual(countOneByOne(participating, wanted))
    }),
    { numRuns: scaled({ full: 3000, short: 50 }) },
  )
})

/** Reference implementation of facets: adds each option to the search and counts what it finds. */
function countOneByOne(merchants: readonly MerchantRow[], wanted: SearchFilter) {
  const open = { ...wanted, mealsServed: [], priceRange: [] }
  const isFuzzy = bruteForceFound(merchants, open, false).length === 0
  const found = (changed: Partial<SearchFilter>) =>
    bruteForceFound(merchants, { ...wanted, ...changed }, isFuzzy).length
  const each = (options: readonly string[], changed: (option: string) => Partial<SearchFilter>) =>
    Object.fromEntries(options.map((option) => [option, found(changed(option))]))
  return {
    acclaimed: found({ acclaimed: true }),
    isNew: found({ isNew: true }),
    reservations: found({ reservations: true }),
    features: each(Feature.options, (feature) => ({ features: [...wanted.features, feature] })),
    mealsServed: each(Meal.options, (meal) => ({ mealsServed: [meal] })),
    priceRange: each(['1', '2', '3', '4'], (price) => ({ priceRange: [Number(price)] })),
  }
}

test('SRCH-021 pages are parts of one list, without duplicates or gaps', async () => {
  await fc.assert(
    fc.asyncProperty(rows, filter, fc.integer({ min: 1, max: 7 }), async (merchants, wanted, pageSize) => {
      const index = await indexOf(merchants)
      const list = idsOf(index, wanted)
      const pages = Array.from({ length: Math.ceil(list.length / pageSize) + 1 }, (_, page) =>
        idsOf(index, wanted, { pageNo: page + 1, pageSize }),
      )
      expect(pages.flat()).toEqual(list)
      expect(pages.at(-1)).toEqual([])
    }),
    { numRuns: scaled({ full: 300, short: 60 }) },
  )
})

test('an index that was changed returns what one of the same merchants returns', async () => {
  await fc.assert(
    fc.asyncProperty(rows, filter, async (merchants, wanted) => {
      const index = await indexOf(merchants)
      const rebuilt = MerchantIndex.of(byId(merchants), asIfLarge)
      expect(idsOf(rebuilt, wanted)).toEqual(idsOf(index, wanted))
      expect(rebuilt.count(wanted)).toEqual(index.count(wanted))
      expect(rebuilt.knownCount).toBe(index.knownCount)
    }),
    { numRuns: 100 },
  )
})

test('an index needs a rebuild when much of it has changed', async () => {
  const merchants = Array.from({ length: 2501 }, (_, index) => merchantRow({ id: index + 1 }))
  // Each change removes a merchant and adds one.
  const half = await MerchantIndex.of(merchants).withChanges(merchants.slice(0, 2500))
  expect(half.needsRebuild).toBe(false)
  expect((await half.withChanges(merchants.slice(2500))).needsRebuild).toBe(true)
})

test('SRCH-002 an optional word counts on the first page, also when it is the first of all words', () => {
  const row = (id: number, name: string) => merchantRow({ id, name, address1: '', zipCode: '', cuisines: [] })
  const others = Array.from({ length: 99 }, (_, at) => row(at + 1, 'Pizza House'))
  const index = MerchantIndex.of([...others, row(100, 'A Pizza House Uptown')], asIfLarge)
  const wanted = searchFilter({ text: 'a pizza', sortBy: 'relevance' })
  expect(idsOf(index, wanted, { pageNo: 1, pageSize: 1 })).toEqual([100])
})

test('a circle can cross the date line and contain a pole', async () => {
  const at = (id: number, latitude: number, longitude: number) => merchantRow({ id, latitude, longitude })
  let index = await indexOf([at(1, 51.9, 179.95), at(2, 51.9, -179.95), at(3, 51.9, -178), at(4, 89.9, 120)])
  const near = (latitude: number, longitude: number) =>
    idsOf(index, searchFilter({ origin: { latitude, longitude } })).sort()
  expect(near(51.9, 180)).toEqual([1, 2])
  expect(near(51.9, -180)).toEqual([1, 2])
  expect(near(89.9, -60)).toEqual([4])
  // A degree of longitude is only 22 miles long at Utqiagvik.
  index = await index.withChanges([at(5, 71.2, -157)])
  expect(near(71.2, -156)).toEqual([5])
})

test('SRCH-002 a name, a cuisine, its dish, a neighborhood, a ZIP code and a street are found, also with a typo', async () => {
  const index = await indexOf([
    merchantRow({ id: 1, name: 'Rock City Pizza', cuisines: ['Pizza'], neighborhood: 'Harlem' }),
    merchantRow({ id: 2, name: 'Rock City Pizza and Pasta House', cuisines: ['Pizza'], zipCode: '60614' }),
    merchantRow({ id: 3, name: 'Izakaya Ren', cuisines: ['Japanese'], address1: '40 West 72nd Street' }),
    merchantRow({ id: 4, name: 'Chez Léa', cuisines: ['Café'], neighborhood: 'Harlem' }),
  ])
  const find = (text: string) => idsOf(index, searchFilter({ text, sortBy: 'relevance' }))
  expect(find('rock city pizza')).toEqual([1, 2])
  expect(find('pizza 60614')).toEqual([2])
  expect(find('best sushi')).toEqual([3])
  expect(find('restaurants on west 72nd street')).toEqual([3])
  expect(find('40 west 72nd')).toEqual([3])
  expect(find('CHEZ LEA')).toEqual([4])
  expect(find('cafe in harlem')).toEqual([4])
  expect(find('rokc citty')).toEqual([1, 2])
  expect(find('ijakaya')).toEqual([3])
  expect(find('nothing of the kind')).toEqual([])
})

test('SRCH-002 a plural with a typo, and a cuisine beside a misspelled "restaurant", are found', async () => {
  const index = await indexOf([
    merchantRow({ id: 1, name: 'Bamboo Noodle Bar', cuisines: ['Chinese'] }),
    merchantRow({ id: 2, name: 'Casa Maíz', cuisines: ['Mexican'] }),
  ])
  const find = (text: string) => idsOf(index, searchFilter({ text, sortBy: 'relevance' }))
  for (const text of ['noodels', 'noddles', 'bamboo noodels']) expect([text, find(text)]).toEqual([text, [1]])
  for (const text of ['mexican resturant', 'mexican restaraunts', 'restuarant mexican'])
    expect([text, find(text)]).toEqual([text, [2]])
  expect(find('resturants').toSorted()).toEqual([1, 2])
})

test('SRCH-002 a name that was typed whole comes before the same words as a name and a place', async () => {
  const index = await indexOf([
    merchantRow({ id: 1, name: 'Fifty Cent Bar and Grill', neighborhood: 'Lincoln Park' }),
    merchantRow({ id: 2, name: 'Lincoln Park Bar and Grill', neighborhood: 'Chelsea' }),
  ])
  const find = (text: string) => idsOf(index, searchFilter({ text, sortBy: 'relevance' }))
  expect(find('lincoln park bar and grill')).toEqual([2, 1])
  expect(find('grill and bar lincoln park')).toEqual([2, 1])
  // A missing letter, and the beginning of a word.
  expect(find('lincoln park bar and rill')).toEqual([2, 1])
  expect(find('lincoln park bar and gril')).toEqual([2, 1])
  // Not the whole name, or more than it.
  expect(find('bar and grill in lincoln park')).toEqual([1, 2])
  expect(find('bar lincoln park')).toEqual([1, 2])
})

test('suggestions begin with the typed text, most common first, without merchants that left', async () => {
  let index = await indexOf([
    merchantRow({ id: 1, name: 'Pizza Nova', cuisines: ['Pizza'] }),
    merchantRow({ id: 2, name: 'Piccolo’s', cuisines: ['Pizza'] }),
    merchantRow({ id: 3, name: 'Café Pi', cuisines: [] }),
  ])
  expect(index.suggest('PI', 8)).toEqual(['Pizza', 'Piccolo’s', 'Pizza Nova'])
  expect(index.suggest('pi', 1)).toEqual(['Pizza'])
  expect(index.suggest("piccolo's", 8)).toEqual(['Piccolo’s'])
  expect(index.suggest(' ', 8)).toEqual([])
  index = await index.withChanges([merchantRow({ id: 2, participating: false })])
  expect(index.suggest('pic', 8)).toEqual([])
})

test('an offer ends with the day of its restaurant, also when the same search was made while other zones changed days', () => {
  const offers = [
    { days: [4], startsOn: '2026-01-01', endsOn: '2026-11-19', ratePercent: 100 },
  ] as unknown as MerchantRow['offers']
  const zones = ['America/New_York', 'America/Chicago', 'America/Los_Angeles']
  const index = MerchantIndex.of(zones.map((timeZone, id) => merchantRow({ id: id + 1, timeZone, offers })))
  const foundAt = (now: string) => {
    const today = localDates(new Date(now))
    return idsOf(index, searchFilter({ earnDays: [4], today })).toSorted()
  }
  // Midnight passes from New York to Los Angeles: the dates are the same two for three hours.
  expect(['04:59', '05:01', '06:01', '08:01'].map((time) => foundAt(`2026-11-20T${time}:00Z`))).toEqual([
    [1, 2, 3],
    [2, 3],
    [3],
    [],
  ])
})
