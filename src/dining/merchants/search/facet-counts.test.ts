import { expect, test } from 'vitest'
import { FacetCounter, type Facets, facetBits, isUnfiltered, passesFacets, toFilterBits } from './facets.ts'
import { quarterHourOf } from './local-dates.ts'

const plain: Facets = {
  participating: true,
  features: [],
  meals: [],
  priceRange: 0,
  highlight: null,
  acclaimedLevel: 0,
  reservationProvider: null,
}
const none = { acclaimed: false, isNew: false, reservations: false, features: [], mealsServed: [], priceRange: [] }
const [feature = '', second = ''] = Object.keys(new FacetCounter().result().features)
const [breakfast = '', lunch = '', dinner = ''] = Object.keys(new FacetCounter().result().mealsServed)
const passes = (merchant: Partial<Facets>, filter: Partial<typeof none> | Record<string, unknown>) =>
  passesFacets(facetBits({ ...plain, ...merchant }), toFilterBits({ ...none, ...filter }))

test('each filter is passed by merchants that have it, and no search finds one that does not participate', () => {
  const cases: [Partial<Facets>, Record<string, unknown>][] = [
    [{ acclaimedLevel: 1 }, { acclaimed: true }],
    [{ highlight: 'acclaimed' }, { acclaimed: true }],
    [{ highlight: 'new' }, { isNew: true }],
    [{ reservationProvider: 'book' }, { reservations: true }],
    [{ features: [feature, second] }, { features: [feature] }],
    [{ meals: [lunch] }, { mealsServed: [lunch] }],
    [{ priceRange: 3 }, { priceRange: [3] }],
  ]
  for (const [merchant, filter] of cases) {
    expect([filter, passes(merchant, filter), passes({}, filter)]).toEqual([filter, true, false])
    expect([filter, passes({ ...merchant, participating: false }, filter)]).toEqual([filter, false])
    expect([merchant, passes(merchant, {})]).toEqual([merchant, true])
  }
  expect(passes({ participating: false }, {})).toBe(false)
  expect([
    passes({ highlight: 'new' }, { acclaimed: true }),
    passes({ highlight: 'acclaimed' }, { isNew: true }),
  ]).toEqual([false, false])
})

test('features must all be there; one of the meals and one of the prices is enough', () => {
  expect(passes({ features: [feature] }, { features: [feature, second] })).toBe(false)
  expect([
    passes({ meals: [lunch] }, { mealsServed: [lunch, dinner] }),
    passes({ meals: [breakfast] }, { mealsServed: [lunch, dinner] }),
  ]).toEqual([true, false])
  expect([
    passes({ priceRange: 2 }, { priceRange: [1, 2] }),
    passes({ priceRange: 4 }, { priceRange: [1, 2] }),
  ]).toEqual([true, false])
  expect(passes({ meals: [lunch], priceRange: 4 }, { mealsServed: [lunch], priceRange: [1] })).toBe(false)
})

test('only a search without any filter finds every participating merchant', () => {
  expect(isUnfiltered(toFilterBits(none))).toBe(true)
  for (const filter of [
    { acclaimed: true },
    { isNew: true },
    { reservations: true },
    { features: [feature] },
    { mealsServed: [lunch] },
    { priceRange: [1] },
  ])
    expect([filter, isUnfiltered(toFilterBits({ ...none, ...filter }))]).toEqual([filter, false])
})

test('a meal or price counts what it would find in place of the chosen ones, all else what it would add', () => {
  const merchants: Partial<Facets>[] = [
    { meals: [lunch], priceRange: 1, features: [feature], acclaimedLevel: 1 },
    { meals: [lunch, dinner], priceRange: 2, highlight: 'new' },
    { meals: [dinner], priceRange: 1, reservationProvider: 'book' },
    { meals: [breakfast], priceRange: 3 },
  ]
  const countsOf = (filter: Record<string, unknown>) => {
    const counter = new FacetCounter()
    for (const merchant of merchants)
      counter.add(facetBits({ ...plain, ...merchant }), toFilterBits({ ...none, ...filter }))
    return counter.result()
  }
  const meals = (counts: ReturnType<typeof countsOf>) =>
    [breakfast, lunch, dinner].map((meal) => counts.mealsServed[meal])
  const prices = (counts: ReturnType<typeof countsOf>) => ['1', '2', '3', '4'].map((price) => counts.priceRange[price])
  const open = countsOf({})
  expect([open.acclaimed, open.isNew, open.reservations, open.features[feature], open.features[second]]).toEqual([
    1, 1, 1, 1, 0,
  ])
  expect([meals(open), prices(open)]).toEqual([
    [1, 2, 2],
    [2, 1, 1, 0],
  ])
  const atLunch = countsOf({ mealsServed: [lunch] })
  expect([atLunch.acclaimed, atLunch.isNew, atLunch.reservations]).toEqual([1, 1, 0])
  expect([meals(atLunch), prices(atLunch)]).toEqual([
    [1, 2, 2],
    [1, 1, 0, 0],
  ])
  const cheapLunch = countsOf({ mealsServed: [lunch], priceRange: [1] })
  expect([cheapLunch.acclaimed, cheapLunch.isNew, cheapLunch.features[feature]]).toEqual([1, 0, 1])
  expect([meals(cheapLunch), prices(cheapLunch)]).toEqual([
    [0, 1, 1],
    [1, 1, 0, 0],
  ])
})

test('a quarter of an hour ends at its last millisecond', () => {
  const of = (text: string) => quarterHourOf(new Date(text))
  expect([of('1970-01-01T00:14:59.999Z'), of('1970-01-01T00:15:00Z'), of('1970-01-01T01:00:00Z')]).toEqual([0, 1, 4])
})
