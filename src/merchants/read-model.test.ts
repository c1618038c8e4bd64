import fc from 'fast-check'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryDatabase } from '../../tests/support/database.ts'
import { createPools, type Pools } from '../kit/server/db.ts'
import { ensureLogin } from '../kit/server/logins.ts'
import { migrate } from '../kit/server/migrate.ts'
import { createNotices, type Notices } from '../kit/server/notices.ts'
import type { SearchFilter } from './merchant-index.ts'
import { createReadModel, type MerchantReadModel } from './read-model.ts'
import { meanRating, milesBetween } from './rules.ts'
import { seedMerchants } from './seed/seed-merchants.ts'
import { changedSince, type MerchantRow } from './store.ts'
import { matchScore, wordsOf } from './text.ts'

let database: Awaited<ReturnType<typeof temporaryDatabase>>
let pools: Pools
let notices: Notices
let model: MerchantReadModel
let all: MerchantRow[]

beforeAll(async () => {
  database = await temporaryDatabase()
  await migrate({ url: database.url, directory: 'db/migrations', log: () => {} })
  pools = createPools({ url: await ensureLogin(database.url, { group: 'dineback_app', password: 'for-this-test' }) })
  await seedMerchants(pools.shared, { count: 600 })
  notices = createNotices({ url: pools.url, log: pino({ level: 'silent' }) })
  model = await createReadModel({ shared: pools.shared, notices, log: pino({ level: 'silent' }) })
  all = await changedSince(pools.shared, -1, 0, 10_000)
})
afterAll(async () => {
  await model?.close()
  await notices?.close()
  await pools?.close()
  await database?.drop()
})

const anything: SearchFilter = {
  text: '',
  origin: null,
  radius: 25,
  sortBy: 'distance',
  acclaimed: false,
  isNew: false,
  reservations: false,
  features: [],
  mealsServed: [],
  earnDays: [],
  priceRange: [],
  campaignCode: null,
}
const whole = { pageNo: 1, pageSize: 10_000 }
const chelsea = { latitude: 40.7506, longitude: -73.9972 }

/** The same search by looking at every merchant in turn. */
function slowly(filter: SearchFilter): number[] {
  const typed = wordsOf(filter.text)
  const vocabulary = all.flatMap((row) => wordsOf([row.name, row.neighborhood, ...row.cuisines].join(' ')))
  const fits = (row: MerchantRow) => {
    if (filter.origin && milesBetween(filter.origin, row) > filter.radius) return false
    if (filter.isNew && row.highlight !== 'new') return false
    if (filter.reservations && !row.reservationProvider) return false
    if (filter.priceRange.length > 0 && !filter.priceRange.includes(row.priceRange)) return false
    if (filter.mealsServed.length > 0 && !filter.mealsServed.some((meal) => row.meals.includes(meal))) return false
    const words = wordsOf([row.name, row.neighborhood, ...row.cuisines].join(' '))
    return typed.every((word) => {
      const exact = vocabulary.some((other) => matchScore(word, other) > 1)
      return words.some((other) => (exact ? matchScore(word, other) > 1 : matchScore(word, other) > 0))
    })
  }
  return all.filter(fits).map(({ id }) => id)
}

test('SRCH-001 SRCH-002 SRCH-016 SRCH-017 a search finds exactly what looking at every merchant finds', () => {
  const filters = fc.record({
    ...Object.fromEntries(Object.entries(anything).map(([key, value]) => [key, fc.constant(value)])),
    text: fc.constantFrom('', 'sushi', 'ital', 'susi', 'the gold', 'ramen bar', 'zzzz', 'brooklyn', 'pizza'),
    origin: fc.option(
      fc.record({
        latitude: fc.double({ min: 25, max: 48, noNaN: true }),
        longitude: fc.double({ min: -122, max: -71, noNaN: true }),
      }),
    ),
    radius: fc.constantFrom(1, 5, 25, 100),
    isNew: fc.boolean(),
    reservations: fc.boolean(),
    priceRange: fc.subarray([1, 2, 3, 4]),
    mealsServed: fc.subarray(['breakfast', 'lunch', 'dinner']),
  }) as unknown as fc.Arbitrary<SearchFilter>
  fc.assert(
    fc.property(
      fc.oneof(
        filters,
        filters.map((filter) => ({ ...filter, origin: chelsea })),
      ),
      (filter) => {
        const { rows, total } = model.search(filter, whole)
        expect(rows.map(({ row }) => row.id).sort((a, b) => a - b)).toEqual(slowly(filter))
        expect(total).toBe(rows.length)
      },
    ),
    { numRuns: 150 },
  )
})

test('SRCH-028 each order is the order it says', () => {
  const by = (sortBy: SearchFilter['sortBy']) => model.search({ ...anything, origin: chelsea, sortBy }, whole).rows
  const sorted = (values: number[]) =>
    values.every((value, index) => index === 0 || (values[index - 1] as number) <= value)
  expect(sorted(by('distance').map(({ miles }) => miles as number))).toBe(true)
  expect(sorted(by('rating').map(({ row }) => -meanRating(row.ratingSum, row.ratingCount)))).toBe(true)
  const names = by('name').map(({ row }) => row.name)
  expect(names).toEqual([...names].sort())
})

test('SRCH-021 pages are parts of one list: nothing twice, nothing missing', () => {
  const filter = { ...anything, origin: chelsea }
  const { total } = model.search(filter, whole)
  const ids: number[] = []
  for (let pageNo = 1; (pageNo - 1) * 10 < total; pageNo++) {
    ids.push(...model.search(filter, { pageNo, pageSize: 10 }).rows.map(({ row }) => row.id))
  }
  expect(new Set(ids).size).toBe(total)
  expect(ids).toHaveLength(total)
})

test('a change shows, a merchant that leaves is gone, and one that is deleted outright too', async () => {
  const [first, second] = all as [MerchantRow, MerchantRow]
  await pools.shared.updateTable('merchants').set({ name: 'Quite Another Name' }).where('id', '=', first.id).execute()
  await expect.poll(() => model.bySlug(first.publicId)?.name, { timeout: 20_000 }).toBe('Quite Another Name')
  expect(model.search({ ...anything, text: 'quite another' }, whole).rows).toHaveLength(1)
  await pools.shared.updateTable('merchants').set({ participating: false }).where('id', '=', first.id).execute()
  await expect.poll(() => model.bySlug(first.publicId), { timeout: 20_000 }).toBeUndefined()
  await pools.shared.deleteFrom('merchants').where('id', '=', second.id).execute()
  await expect.poll(() => model.bySlug(second.publicId), { timeout: 20_000 }).toBeUndefined()
})

test('a changed offer is a changed merchant', async () => {
  const merchant = all[5] as MerchantRow
  await pools.shared
    .updateTable('merchant_offers')
    .set({ rate_percent: 777 })
    .where('merchant_id', '=', merchant.id)
    .execute()
  await expect.poll(() => model.bySlug(merchant.publicId)?.offers[0]?.ratePercent, { timeout: 20_000 }).toBe(777)
})
