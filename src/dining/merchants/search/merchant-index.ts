import type { Point } from '../../../programs/places/contract.ts'
import type { MerchantRow } from '../catalog/store.ts'
import { meanRating, milesFromSquaredDistance, squaredDistanceFromMiles, toUnitVector } from '../rules.ts'
import { Cities } from './cities.ts'
import { FacetCounter, type FacetCounts, facetBits, isUnfiltered, passesFacets, toFilterBits } from './facets.ts'
import { firstOf } from './first-of.ts'
import { growColumn } from './grow-column.ts'
import { nearest } from './nearest.ts'
import { Neighborhoods } from './neighborhoods.ts'
import { PointGrid } from './point-grid.ts'
import { isRare, passesRare, type SearchFilter } from './rare-filters.ts'
import { Suggestions } from './suggestions.ts'
import { wordsOf } from './text.ts'
import { type Match, Vocabulary } from './vocabulary.ts'

export type { SearchFilter }

export interface SearchHits {
  rows: { row: MerchantRow; miles: number | null }[]
  total: number
}

const absent = -1
const maxEmptySlots = 5000

/**
 * Index of merchants by slot: numeric columns for filtering and sorting, rows for results. A changed merchant gets a
 * new slot and its old one is left empty, so that removal needs no search; `needsRebuild` is true when the empty slots justify
 * a new index.
 */
export class MerchantIndex {
  readonly #slots = new Map<number, number>()
  readonly #bySlug = new Map<string, number>()
  readonly #rows: (MerchantRow | undefined)[] = []
  readonly #sortNames: string[] = []
  readonly #grid = new PointGrid()
  readonly #words = new Vocabulary()
  readonly #suggestions = new Suggestions()
  readonly neighborhoods = new Neighborhoods()
  readonly cities = new Cities()
  /** 0 for an empty slot. */
  #facets = new Uint32Array(1024)
  #points = new Float64Array(3 * 1024)
  #ratings = new Uint8Array(1024)
  /** State of the current search: squared distance (chord) from its origin, and the matching slots. */
  #squaredDistances = new Float64Array(1024)
  #hits = new Int32Array(1024)

  /** Number of merchants ever added, participating or not. */
  get knownCount(): number {
    return this.#slots.size
  }

  /** Number of participating merchants. */
  get size(): number {
    return this.#bySlug.size
  }

  /** Returns true when so many slots are empty that a new index is worthwhile. */
  get needsRebuild(): boolean {
    return this.#rows.length - this.#bySlug.size > Math.max(maxEmptySlots, this.#bySlug.size / 2)
  }

  /** Returns a copy without empty slots, built in chunks so that searches run in between. */
  async rebuilt(): Promise<MerchantIndex> {
    const fresh = new MerchantIndex()
    for (const [id, slot] of this.#slots) {
      const row = this.#rows[slot]
      if (row) fresh.put(row)
      else fresh.#slots.set(id, absent)
      if (fresh.knownCount % 1000 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    return fresh
  }

  /** Adds a merchant or replaces its earlier version. */
  put(row: MerchantRow): void {
    this.#empty(this.#slots.get(row.id) ?? absent)
    this.#slots.set(row.id, row.participating ? this.#rows.length : absent)
    if (row.participating) this.#fill(this.#rows.length, row)
    else this.cities.left(row)
  }

  bySlug(publicId: string): MerchantRow | undefined {
    const slot = this.#bySlug.get(publicId)
    return slot === undefined ? undefined : this.#rows[slot]
  }

  /** Returns up to `count` merchants after the first `from`, in the order in which they were first added. */
  list(from: number, count: number): MerchantRow[] {
    const rows: MerchantRow[] = []
    let at = 0
    for (const slot of this.#slots.values()) {
      const row = this.#rows[slot]
      if (!row || at++ < from) continue
      if (rows.push(row) === count) break
    }
    return rows
  }

  /** Returns a page of the matching merchants and their total. Typos are tolerated when nothing matches exactly. */
  search(filter: SearchFilter, { pageNo, pageSize }: { pageNo: number; pageSize: number }): SearchHits {
    const first = (pageNo - 1) * pageSize
    const { slots, total, match } = this.#find(filter, first + pageSize)
    const page = firstOf(slots, first + pageSize, this.#order(filter, match)).slice(first)
    const rows = page.map((slot) => ({
      row: this.#rows[slot] as MerchantRow,
      miles: filter.origin ? milesFromSquaredDistance(this.#squaredDistances[slot] as number) : null,
    }))
    return { rows, total }
  }

  /** Returns all matching slots, or, when only the nearest are needed, at least the nearest `count`. */
  #find(filter: SearchFilter, count: number): { slots: ArrayLike<number>; total: number; match: Match | null } {
    const match = this.#match(filter, false)
    if (!match && filter.origin && filter.sortBy === 'distance' && !isRare(filter)) {
      const { items, total } = this.#nearest(filter, filter.origin, count)
      return { slots: items, total, match }
    }
    const slots = this.#fitting(filter, match)
    if (!match || slots.length > 0) return { slots, total: slots.length, match }
    const close = this.#match(filter, true)
    const closeSlots = this.#fitting(filter, close)
    return { slots: closeSlots, total: closeSlots.length, match: close }
  }

  /** Returns the text matches within the radius. */
  #match({ text, origin, radius, state }: SearchFilter, fuzzy: boolean): Match | null {
    if (!origin || state !== null) return this.#words.find(text, fuzzy)
    const [x, y, z] = toUnitVector(origin)
    const maxSquaredDistance = squaredDistanceFromMiles(radius)
    const points = this.#points
    return this.#words.find(text, fuzzy, (slot) => {
      const dx = (points[3 * slot] as number) - x
      const dy = (points[3 * slot + 1] as number) - y
      const dz = (points[3 * slot + 2] as number) - z
      return dx * dx + dy * dy + dz * dz <= maxSquaredDistance
    })
  }

  #nearest(filter: SearchFilter, origin: Point, count: number): { items: number[]; total: number } {
    const filterBits = toFilterBits(filter)
    const [x, y, z] = toUnitVector(origin)
    const [facets, points, squaredDistances] = [this.#facets, this.#points, this.#squaredDistances]
    return nearest(
      this.#grid,
      { origin, miles: filter.radius, count },
      {
        all: isUnfiltered(filterBits),
        fits: (slot) => passesFacets(facets[slot] as number, filterBits),
        squaredDistance(slot) {
          const dx = (points[3 * slot] as number) - x
          const dy = (points[3 * slot + 1] as number) - y
          const dz = (points[3 * slot + 2] as number) - z
          const squaredDistance = dx * dx + dy * dy + dz * dz
          squaredDistances[slot] = squaredDistance
          return squaredDistance
        },
      },
    )
  }

  /**
   * Counts the merchants with one more option: for options combined with AND among the results, for meals and prices
   * (combined with OR) among the results without the choices of their own group.
   */
  count(filter: SearchFilter): FacetCounts {
    const filterBits = toFilterBits(filter)
    const counts = new FacetCounter()
    const open = { ...filter, mealsServed: [], priceRange: [] }
    let match = this.#match(filter, false)
    let slots = this.#fitting(open, match)
    if (match && slots.length === 0) {
      match = this.#match(filter, true)
      slots = this.#fitting(open, match)
    }
    for (const slot of slots) counts.add(this.#facets[slot] as number, filterBits)
    return counts.result()
  }

  /** Returns cuisines and names with this prefix, most frequent first. */
  suggest(text: string, limit: number): string[] {
    return this.#suggestions.find(text, limit)
  }

  #empty(slot: number): void {
    const before = this.#rows[slot]
    if (!before) return
    this.#rows[slot] = undefined
    this.#facets[slot] = 0
    this.#grid.drop(before)
    this.#bySlug.delete(before.publicId)
    this.#suggestions.count([before.name, ...before.cuisines], -1)
    this.neighborhoods.count(before, -1)
    this.cities.remove(slot, before)
  }

  #fill(slot: number, row: MerchantRow): void {
    this.#grow(slot)
    this.#rows[slot] = row
    this.#facets[slot] = facetBits(row)
    this.#points.set(toUnitVector(row), 3 * slot)
    this.#ratings[slot] = Math.round(meanRating(row.ratingSum, row.ratingCount) * 10)
    this.#sortNames[slot] = wordsOf(row.name).join(' ')
    this.#bySlug.set(row.publicId, slot)
    this.#grid.add(slot, row)
    this.#words.add(slot, row)
    this.#suggestions.count([row.name, ...row.cuisines], 1)
    this.neighborhoods.count(row, 1)
    this.cities.add(slot, row)
  }

  /** Returns the matching slots in a column that is valid until the next search. */
  #fitting(filter: SearchFilter, match: Match | null): Int32Array {
    const filterBits = toFilterBits(filter)
    const [x, y, z] = toUnitVector(filter.origin ?? anywhere)
    const maxSquaredDistance = squaredDistanceFromMiles(filter.radius)
    const near = filter.origin !== null
    const everywhere = filter.state !== null
    const rare = isRare(filter)
    const [facets, points, squaredDistances, hits] = [this.#facets, this.#points, this.#squaredDistances, this.#hits]
    let count = 0
    for (const slots of this.#candidates(filter, match)) {
      for (let at = 0; at < slots.length; at++) {
        const slot = slots[at] as number
        if (!passesFacets(facets[slot] as number, filterBits)) continue
        if (near) {
          const dx = (points[3 * slot] as number) - x
          const dy = (points[3 * slot + 1] as number) - y
          const dz = (points[3 * slot + 2] as number) - z
          const squaredDistance = dx * dx + dy * dy + dz * dz
          if (squaredDistance > maxSquaredDistance && !everywhere) continue
          squaredDistances[slot] = squaredDistance
        }
        if (rare && !passesRare(this.#rows[slot] as MerchantRow, filter)) continue
        hits[count++] = slot
      }
    }
    return hits.subarray(0, count)
  }

  #candidates({ origin, radius, state, city }: SearchFilter, match: Match | null): number[][] {
    if (city) return [[...(this.cities.find(city.slug)?.slots ?? [])]]
    if (match) return [match.slots]
    if (!origin || state !== null) return [[...this.#bySlug.values()]]
    return this.#grid.near(origin, radius).map(({ items }) => items)
  }

  // Every order ends with the id, so that pages neither repeat nor lose a merchant.
  #order({ sortBy, origin }: SearchFilter, match: Match | null): (a: number, b: number) => number {
    const row = (slot: number) => this.#rows[slot] as MerchantRow
    const id = (a: number, b: number) => row(a).id - row(b).id
    const near = origin
      ? (a: number, b: number) => (this.#squaredDistances[a] as number) - (this.#squaredDistances[b] as number)
      : same
    const rating = (a: number, b: number) =>
      (this.#ratings[b] as number) - (this.#ratings[a] as number) || row(b).ratingCount - row(a).ratingCount
    const relevance = match ? (a: number, b: number) => (match.scores[b] as number) - (match.scores[a] as number) : same
    const name = (a: number, b: number) => compareText(this.#sortNames[a] as string, this.#sortNames[b] as string)
    const newest = (a: number, b: number) => compareText(row(b).joinedOn, row(a).joinedOn)
    switch (sortBy) {
      case 'rating':
        return (a, b) => rating(a, b) || near(a, b) || id(a, b)
      case 'name':
        return (a, b) => name(a, b) || near(a, b) || id(a, b)
      case 'newest':
        return (a, b) => newest(a, b) || near(a, b) || id(a, b)
      case 'relevance':
        return (a, b) => relevance(a, b) || near(a, b) || rating(a, b) || id(a, b)
      default:
        // Without an origin the best match comes first.
        return (a, b) => near(a, b) || (origin ? 0 : relevance(a, b) || rating(a, b)) || id(a, b)
    }
  }

  #grow(slot: number): void {
    if (slot < this.#facets.length) return
    this.#facets = growColumn(this.#facets, slot)
    this.#points = growColumn(this.#points, 3 * slot + 2)
    this.#ratings = growColumn(this.#ratings, slot)
    this.#squaredDistances = growColumn(this.#squaredDistances, slot)
    this.#hits = growColumn(this.#hits, slot)
  }
}

const anywhere: Point = { latitude: 0, longitude: 0 }
const same = () => 0

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
