import type { MerchantRow } from '../catalog/store.ts'
import { milesFromSquaredDistance, squaredDistanceFromMiles, toUnitVector } from '../rules.ts'
import { buildIndex } from './build-index.ts'
import { Cities } from './cities.ts'
import { FacetCounter, type FacetCounts, toFilterBits } from './facets.ts'
import { compareHits, Hit } from './hit.ts'
import { Neighborhoods } from './neighborhoods.ts'
import type { SearchFilter } from './query.ts'
import { requiredWords } from './relevance.ts'
import { buildSegment } from './segment/build-segment.ts'
import type { Columns } from './segment/columns.ts'
import { countFacets } from './segment/count-facets.ts'
import type { Condition, RareFilter } from './segment/matches.ts'
import { RowPacker } from './segment/packed-rows.ts'
import { searchSegment } from './segment/search-segment.ts'
import { type Limits, Segment } from './segment/segment.ts'
import { countWithin } from './segment/segment-query.ts'
import type { Circle } from './space/blocks.ts'
import { Suggestions } from './suggestions.ts'
import { wordsOf } from './text.ts'
import { joinPossessives, rewritesOf, unlikelySplits } from './words/rewrites.ts'

export interface SearchHits {
  rows: { row: MerchantRow; miles: number | null }[]
  total: number
}

/** A segment is merged into a new one that is at least this fraction of its size. */
const mergedFrom = 1 / 2
/** Changes after which a new index is worthwhile. */
const maxChanged = 5000

/**
 * Index of merchants: a large segment, and small ones with what has changed since. A changed merchant is removed from
 * its segment and added to a new one, which is merged with others of its size.
 */
export class MerchantIndex {
  readonly neighborhoods = new Neighborhoods()
  readonly cities = new Cities()
  readonly #base: Segment
  readonly #limits: Limits | undefined
  #recent: Segment[] = []
  readonly #suggestions: Suggestions
  /** Ids of known merchants that do not participate. */
  readonly #absent: Set<number>

  /** Returns an index of these merchants, whose ids ascend. */
  static of(rows: readonly MerchantRow[], limits?: Limits): MerchantIndex {
    const absent = rows.filter(({ participating }) => !participating)
    const packed = packRows(rows.filter(({ participating }) => participating))
    return new MerchantIndex(buildIndex(packed, absent), limits)
  }

  /** The columns are those of `buildIndex`. */
  constructor(columns: Columns, limits?: Limits) {
    this.#limits = limits
    this.#base = new Segment(columns, limits)
    this.#suggestions = new Suggestions(this.#base)
    this.#absent = new Set(columns.absentIds as Float64Array)
    this.neighborhoods.restore(JSON.parse(new TextDecoder().decode(columns.neighborhoods as Uint8Array)))
    this.cities.restore(JSON.parse(new TextDecoder().decode(columns.cities as Uint8Array)))
  }

  /** Number of merchants ever added, participating or not. */
  get knownCount(): number {
    return this.#absent.size + this.#segments.reduce((sum, { presentCount }) => sum + presentCount, 0)
  }

  /** Number of participating merchants. */
  get size(): number {
    return this.#segments.reduce((sum, { presentCount }) => sum + presentCount, 0)
  }

  /** Returns true when so much has changed that a new index is worthwhile. */
  get needsRebuild(): boolean {
    return this.#base.removed + this.#recent.reduce((sum, { count }) => sum + count, 0) > maxChanged
  }

  get #segments(): Segment[] {
    return [this.#base, ...this.#recent]
  }

  /** Adds merchants or replaces their earlier versions. */
  put(rows: readonly MerchantRow[]): void {
    const latest = new Map(rows.map((row) => [row.id, row]))
    for (const id of latest.keys()) this.#remove(id)
    const participating: MerchantRow[] = []
    for (const row of latest.values()) {
      if (row.participating) participating.push(row)
      else {
        this.#absent.add(row.id)
        this.cities.left(row)
      }
    }
    if (participating.length === 0) return
    for (const row of participating) this.#count(row, 1)
    let merged = participating
    for (let last = this.#recent.at(-1); last && last.presentCount * mergedFrom <= merged.length; ) {
      merged = [...last.rows(), ...merged]
      this.#recent.pop()
      last = this.#recent.at(-1)
    }
    this.#recent.push(new Segment(buildSegment(packRows(merged), { withSuggestions: false }), this.#limits))
  }

  /** Removes merchants that no longer exist. */
  remove(ids: readonly number[]): void {
    for (const id of ids) this.#remove(id)
  }

  /** Returns the ids of all known merchants. */
  knownIds(): number[] {
    return [...this.#absent, ...this.#segments.flatMap((segment) => segment.presentIds())]
  }

  #remove(id: number): void {
    this.#absent.delete(id)
    for (const segment of this.#segments) {
      const slot = segment.slotOfId(id)
      if (slot < 0) continue
      this.#count(segment.rowAt(slot), -1)
      segment.remove(slot)
    }
  }

  #count(row: MerchantRow, by: 1 | -1): void {
    this.#suggestions.count([row.name, ...row.cuisines], by)
    this.neighborhoods.count(row, by)
    this.cities.count(row, by)
  }

  bySlug(publicId: string): MerchantRow | undefined {
    for (const segment of this.#segments) {
      const slot = segment.slotOfPublicId(publicId)
      if (slot >= 0) return segment.rowAt(slot)
    }
    return undefined
  }

  /** Returns up to `count` merchants after the first `from`, in the order of their ids. */
  list(from: number, count: number): MerchantRow[] {
    const recent = this.#recent
      .flatMap((segment) => segment.presentIds().map((id) => ({ id, segment })))
      .sort((a, b) => a.id - b.id)
    const rows: MerchantRow[] = []
    let [at, next] = [0, 0]
    const take = (segment: Segment, id: number) => {
      if (at++ >= from && rows.length < count) rows.push(segment.rowAt(segment.slotOfId(id)))
    }
    for (const id of this.#base.orderedIds()) {
      for (let other = recent[next]; other && other.id < id; other = recent[++next]) take(other.segment, other.id)
      take(this.#base, id)
      if (rows.length === count) return rows
    }
    for (const { segment, id } of recent.slice(next)) take(segment, id)
    return rows
  }

  /**
   * Returns a page of the matching merchants and their total. When nothing matches exactly, words are joined and split,
   * and then typos are tolerated.
   */
  search(filter: SearchFilter, { pageNo, pageSize }: { pageNo: number; pageSize: number }): SearchHits {
    const [first, end] = [(pageNo - 1) * pageSize, pageNo * pageSize]
    let found: { hits: Hit[]; total: number } = { hits: [], total: 0 }
    for (const reading of this.#readings(filter.text)) {
      found = this.#find(filter, reading, end)
      if (found.total > 0) break
    }
    const rows = found.hits.slice(first, end).map(({ row, squaredDistance }) => ({
      row,
      miles: filter.origin ? milesFromSquaredDistance(squaredDistance) : null,
    }))
    return { rows, total: found.total }
  }

  /** Yields how a text may be meant, the most literal one first. */
  *#readings(text: string): Generator<Reading> {
    const words = wordsOf(text)
    const typed = requiredWords(words)
    const isKnown = (word: string) => this.#segments.some((segment) => segment.words.has(word))
    const joined = joinPossessives(words, isKnown)
    if (joined.length < words.length) yield { ...requiredWords(joined), fuzzy: false }
    yield { ...typed, fuzzy: false }
    if (typed.required.length === 0) return
    yield* readingsOf(rewritesOf(words, isKnown))
    yield { ...typed, fuzzy: true }
    yield* readingsOf(unlikelySplits(words, isKnown))
  }

  #find(filter: SearchFilter, reading: Reading, end: number): { hits: Hit[]; total: number } {
    const condition = toCondition(filter, reading)
    const { origin, circle } = toCircles(filter)
    const { sortBy } = filter
    let total = 0
    const lists: Hit[][] = []
    for (const segment of this.#segments) {
      if (segment.presentCount === 0) continue
      const terms = reading.required.map((typed) => segment.words.term(typed, reading.fuzzy))
      const scorer = terms.length > 0 ? { terms, optional: reading.optional } : null
      const matches = segment.matches(condition)
      const found = searchSegment(segment, { matches, circle, origin, sortBy, scorer, end })
      total += found.total
      if (found.slots.length > 0) lists.push(found.slots.map((slot) => new Hit(segment, slot, { origin, scorer })))
    }
    const [only = [], ...others] = lists
    return { hits: others.length === 0 ? only : lists.flat().sort(compareHits(filter)), total }
  }

  /**
   * Counts the merchants with one more option: for options combined with AND among the results, for meals and prices
   * (combined with OR) among the results without the choices of their own group.
   */
  count(filter: SearchFilter): FacetCounts {
    const counter = new FacetCounter()
    const bits = toFilterBits(filter)
    const { circle } = toCircles(filter)
    let condition: Condition | undefined
    for (const reading of this.#readings(filter.text)) {
      const open = { ...toCondition(filter, reading), filterBits: { ...bits, meals: 0, prices: 0 } }
      condition = open
      if (this.#segments.some((each) => countWithin(each, { matches: each.matches(open), circle }) > 0)) break
    }
    if (!condition) return counter.result()
    for (const segment of this.#segments) countFacets(segment, { condition, filter: bits, circle }, counter)
    return counter.result()
  }

  /** Returns cuisines and names with this prefix, most frequent first. */
  suggest(text: string, limit: number): string[] {
    return this.#suggestions.find(text, limit)
  }
}

/** One meaning of a text. */
type Reading = ReturnType<typeof requiredWords> & { fuzzy: boolean }

function packRows(rows: readonly MerchantRow[]) {
  const packer = new RowPacker()
  for (const row of rows) packer.add(row)
  return packer.finish()
}

function* readingsOf(rewrites: readonly string[][]): Generator<Reading> {
  for (const rewrite of rewrites) {
    const reading = requiredWords(rewrite)
    if (reading.required.length > 0) yield { ...reading, fuzzy: false }
  }
}

function toCondition(filter: SearchFilter, { required, fuzzy }: Reading): Condition {
  const { earnDays, campaignCode, state, city = null, today } = filter
  const isRare = earnDays.length > 0 || campaignCode !== null || state !== null || city !== null
  const rare: RareFilter | null = isRare ? { earnDays, campaignCode, state, city, today } : null
  return { required, fuzzy, filterBits: toFilterBits(filter), rare }
}

/** Returns the point from which distances are measured, and the circle that results must be in. */
function toCircles({ origin, radius, state }: SearchFilter): { origin: Circle | null; circle: Circle | null } {
  if (!origin) return { origin: null, circle: null }
  const [x, y, z] = toUnitVector(origin)
  const circle = { x, y, z, maxSquared: squaredDistanceFromMiles(radius) }
  return { origin: circle, circle: state === null ? circle : null }
}
