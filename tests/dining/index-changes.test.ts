import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { Cities } from '../../src/dining/merchants/search/cities.ts'
import { MerchantIndex } from '../../src/dining/merchants/search/merchant-index.ts'
import { RowPacker } from '../../src/dining/merchants/search/segment/packed-rows.ts'
import { Segment } from '../../src/dining/merchants/search/segment/segment.ts'
import { WordCollector } from '../../src/dining/merchants/search/words/word-collector.ts'
import { merchantRow, searchFilter } from '../support/merchant-fixtures.ts'

const place = (id: number, name: string, city = 'New York') =>
  merchantRow({ id, publicId: `place-${id}`, name, city, neighborhood: `${name} Quarter` })
const places = (name: string, count: number) => Array.from({ length: count }, (_, at) => place(at + 1, name))
const onePage = { pageNo: 1, pageSize: 1 }

/** What a version of an index shows of restaurants whose names begin with "Old" or "Fresh". */
function shownBy(index: MerchantIndex) {
  const each = <T>(find: (text: string) => T) => ['old', 'fresh'].map(find)
  return {
    totals: each((text) => index.search(searchFilter({ text }), onePage).total),
    facets: each((text) => index.count(searchFilter({ text })).features.dineIn),
    suggested: each((text) => index.suggest(text, 9)),
    neighborhoods: each((text) => index.neighborhoods.suggest(text, 9)),
    found: each((text) => index.neighborhoods.find(`${text} place quarter`)?.label),
    cities: index.cities.all().map(({ name, count }) => [name, count]),
    first: index.bySlug('place-1')?.name,
    size: index.size,
    known: [...index.knownIds()].length,
  }
}

afterEach(() => vi.restoreAllMocks())

test('a version of the index does not change when the next one is made of it', async () => {
  const before = await MerchantIndex.of(places('Old Place', 5)).withChanges([place(6, 'Old Place')])
  const shown = shownBy(before)
  const changes = [place(1, 'Fresh Place'), place(2, 'Fresh Place', 'Boston'), place(7, 'Fresh Place')]
  const next = await before.withChanges([...changes, { ...place(3, 'Old Place'), participating: false }], [4, 6])
  expect(shownBy(before)).toEqual(shown)
  expect(shownBy(next)).toEqual({
    totals: [1, 3],
    facets: [1, 3],
    suggested: [['Old Place'], ['Fresh Place']],
    neighborhoods: [
      ['Old Place Quarter, New York, NY'],
      ['Fresh Place Quarter, New York, NY', 'Fresh Place Quarter, Boston, NY'],
    ],
    found: ['Old Place Quarter, New York, NY', 'Fresh Place Quarter, New York, NY'],
    cities: [
      ['New York', 3],
      ['Boston', 1],
    ],
    first: 'Fresh Place',
    size: 4,
    known: 5,
  })
  // Two versions can be made of one.
  expect(shownBy(await before.withChanges([], [6])).totals).toEqual([5, 0])
  expect(shownBy(before)).toEqual(shown)
})

test('many changed restaurants are merged in slices, and searches between them show no part of it', async () => {
  const before = MerchantIndex.of(places('Old Place', 600))
  const steps = [
    vi.spyOn(Segment.prototype, 'rowAt'),
    vi.spyOn(Cities.prototype, 'count'),
    vi.spyOn(RowPacker.prototype, 'add'),
    vi.spyOn(WordCollector.prototype, 'add'),
  ]
  const changed = before.withChanges(places('Fresh Place', 600))
  let isDone = false
  void changed.finally(() => {
    isDone = true
  })
  const slices = new Set<number>()
  const shown = new Set<string>()
  while (!isDone) {
    for (const { mock } of steps) slices.add(mock.calls.length)
    shown.add(JSON.stringify(before.search(searchFilter({ text: 'old' }), onePage).total))
    for (const step of steps) step.mockClear()
    await setImmediate()
  }
  expect(Math.max(...slices)).toBeLessThanOrEqual(100)
  expect([...shown]).toEqual(['600'])
  expect(shownBy(await changed).totals).toEqual([0, 600])
})
