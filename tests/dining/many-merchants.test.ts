import { expect, test } from 'vitest'
import { milesBetween } from '../../src/dining/merchants/rules.ts'
import { MerchantIndex } from '../../src/dining/merchants/search/merchant-index.ts'
import { Random } from '../../src/platform/random.ts'
import { merchantRow, searchFilter } from '../support/merchant-fixtures.ts'

// Large enough that completions are read by groups of groups, and that orders are not read to their ends.

const random = new Random(5)
const letters = [...'abcdefghi']
const word = (length: number) => Array.from({ length }, () => random.pick(letters)).join('')
const origin = { latitude: 40.7, longitude: -74 }

const merchants = Array.from({ length: 15_000 }, (_, index) =>
  merchantRow({
    id: index + 1,
    // Short words repeat, long ones are mostly unique.
    name: word(random.chance(0.3) ? 3 : 8),
    cuisines: [random.chance(0.5) ? word(2) : 'Pizza'],
    latitude: 40 + random.int(0, 2_000_000) / 1_000_000,
    longitude: -75 + random.int(0, 2_000_000) / 1_000_000,
    ratingSum: index % 3 === 0 ? 50 : 20,
    ratingCount: 10,
    // Those that joined first are the last of the newest.
    joinedOn: index < 5 ? '2020-01-01' : '2025-01-01',
    features: index < 5 || index % 2 === 0 ? ['delivery'] : [],
    meals: index < 5 ? ['breakfast'] : ['dinner'],
  }),
)
const index = MerchantIndex.of(merchants)

test('suggestions from many merchants are the most common texts that begin with the typed ones', async () => {
  const counts = new Map<string, number>()
  const add = (text: string, by: number) => counts.set(text, (counts.get(text) ?? 0) + by)
  for (const { name, cuisines } of merchants) for (const text of [name, ...cuisines]) add(text, 1)
  const expected = (prefix: string, limit: number) =>
    [...counts]
      .filter(([text, count]) => text.toLowerCase().startsWith(prefix) && count > 0)
      .sort(([a, many], [b, few]) => few - many || (a < b ? -1 : 1))
      .slice(0, limit)
      .map(([text]) => text)
  const prefixes = ['a', 'e', 'i', 'ab', 'cde', 'p', 'abcd']
  for (const prefix of prefixes) {
    for (const limit of [1, 8, 500]) expect(index.suggest(prefix, limit)).toEqual(expected(prefix, limit))
  }
  const [first = ''] = expected('a', 1)
  const left = merchants.filter(({ name, cuisines }) => [name, ...cuisines].includes(first))
  const changed = await index.withChanges(left.map((merchant) => ({ ...merchant, participating: false })))
  for (const { name, cuisines } of left) for (const text of [name, ...cuisines]) add(text, -1)
  for (const prefix of prefixes) expect(changed.suggest(prefix, 8)).toEqual(expected(prefix, 8))
  expect(changed.suggest('a', 8)).not.toContain(first)
})

test('of many equally rated or equally new merchants the nearest come first, page by page', () => {
  const near = (a: (typeof merchants)[number], b: (typeof merchants)[number]) =>
    milesBetween(origin, a) - milesBetween(origin, b) || a.id - b.id
  const orders = {
    rating: merchants.toSorted((a, b) => b.ratingSum - a.ratingSum || near(a, b)),
    newest: merchants.toSorted((a, b) => (a.joinedOn === b.joinedOn ? near(a, b) : a.joinedOn < b.joinedOn ? 1 : -1)),
  }
  for (const sortBy of ['rating', 'newest'] as const) {
    for (const pageNo of [1, 2, 80]) {
      const found = index.search(searchFilter({ origin, radius: 500, sortBy }), { pageNo, pageSize: 20 })
      expect([found.total, found.rows.map(({ row: { id } }) => id)]).toEqual([
        merchants.length,
        orders[sortBy].slice(20 * (pageNo - 1), 20 * pageNo).map(({ id }) => id),
      ])
    }
  }
})

test('a few merchants at the end of a long order are found', () => {
  // With the limit of a larger index, these five are too many to be listed first.
  const large = MerchantIndex.of(merchants, { listed: 1, compared: 2 })
  const oldest = large.search(searchFilter({ sortBy: 'newest', mealsServed: ['breakfast'] }), {
    pageNo: 1,
    pageSize: 3,
  })
  expect([oldest.total, oldest.rows.map(({ row: { id } }) => id)]).toEqual([5, [1, 2, 3]])
})
