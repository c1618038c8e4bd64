import { toSlug } from '../../../../platform/text.ts'
import type { Offer } from '../../contract.ts'
import { citySlug, meanRating, toUnitVector } from '../../rules.ts'
import { facetBits } from '../facets.ts'
import { buildSpheres } from '../space/blocks.ts'
import { hilbertPosition } from '../space/hilbert.ts'
import { wordsOf } from '../text.ts'
import { WordCollector } from '../words/word-collector.ts'
import { buildOrders } from './build-orders.ts'
import { buildSuggestions } from './build-suggestions.ts'
import { type Columns, hashText } from './columns.ts'
import { type PackedRows, RowReader, toColumns } from './packed-rows.ts'

/** What a filter reads from rows; restaurants with the same facts share one set. */
export interface RareFacts {
  state: string
  campaignCodes: readonly string[]
  timeZone: string
  offers: readonly Offer[]
}

/** Returns the columns of a segment with these rows. Suggestions are only needed for the largest segment. */
export function buildSegment(packed: PackedRows, { withSuggestions }: { withSuggestions: boolean }): Columns {
  const unordered = new RowReader(packed)
  const { count } = unordered
  const positions = Float64Array.from({ length: count }, (_, index) => hilbertPosition(unordered.pointAt(index)))
  const order = Uint32Array.from({ length: count }, (_, index) => index)
  order.sort((a, b) => (positions[a] as number) - (positions[b] as number) || a - b)
  const starts = order.map((index) => packed.starts[index] as number)
  const rows = new RowReader({ ...packed, starts })

  const ids = new Float64Array(count)
  const facets = new Uint32Array(count)
  const points = new Float64Array(3 * count)
  const ratings = new Uint8Array(count)
  const ratingCounts = new Uint32Array(count)
  const joinedOn: string[] = []
  const sortNames: string[] = []
  const rare = new Map<string, number>()
  const rareFacts = new Uint32Array(count)
  const [cities, cuisines] = [new Map<string, number>(), new Map<string, number>()]
  const cityIds = new Uint32Array(count)
  const cuisineIds = new Uint32Array(count)
  const words = new WordCollector()
  for (let slot = 0; slot < count; slot++) {
    const row = rows.at(slot)
    ids[slot] = row.id
    facets[slot] = facetBits(row)
    points.set(toUnitVector(row), 3 * slot)
    ratings[slot] = Math.round(meanRating(row.ratingSum, row.ratingCount) * 10)
    ratingCounts[slot] = row.ratingCount
    joinedOn.push(row.joinedOn)
    sortNames.push(wordsOf(row.name).join(' '))
    const { state, campaignCodes, timeZone, offers } = row
    const facts = JSON.stringify({ state, campaignCodes, timeZone, offers })
    rareFacts[slot] = indexOf(rare, facts)
    cityIds[slot] = indexOf(cities, citySlug(row) ?? '')
    cuisineIds[slot] = indexOf(cuisines, JSON.stringify(row.cuisines.map(toSlug)))
    words.add(row)
  }
  const orders = buildOrders({ ids, ratings, ratingCounts, joinedOn, sortNames })
  const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
  return {
    ...toColumns({ ...packed, starts }),
    ids,
    slugs: buildSlugTable(rows),
    facets,
    points,
    ...buildSpheres(points),
    rareFacts,
    cityIds,
    slotCities: encode([...cities.keys()]),
    cuisineIds,
    cuisineSlugs: encode([...cuisines.keys()].map((slugs) => JSON.parse(slugs))),
    rareSets: encode([...rare.keys()].map((facts) => JSON.parse(facts))),
    ...orders,
    ...words.finish(orders.byRank),
    ...(withSuggestions && buildSuggestions(rows, ids)),
  }
}

/** Returns the index of a distinct value. */
function indexOf(values: Map<string, number>, value: string): number {
  const index = values.get(value) ?? values.size
  values.set(value, index)
  return index
}

/** A hash table of public ids with open addressing: slots plus one, 0 where empty. */
function buildSlugTable(rows: RowReader): Uint32Array {
  const table = new Uint32Array(2 ** Math.ceil(Math.log2(2 * rows.count + 1)))
  for (let slot = 0; slot < rows.count; slot++) {
    let at = hashText(rows.publicIdAt(slot)) & (table.length - 1)
    while (table[at] !== 0) at = (at + 1) & (table.length - 1)
    table[at] = slot + 1
  }
  return table
}
