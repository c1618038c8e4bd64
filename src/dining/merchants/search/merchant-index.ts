import type { MerchantRow } from '../catalog/store.ts'
import { milesFromSquaredDistance, squaredDistanceFromMiles, toUnitVector } from '../rules.ts'
import { buildIndex } from './build-index.ts'
import { changeIndex, type IndexState } from './change-index.ts'
import { Cities } from './cities.ts'
import { FacetCounter, type FacetCounts, toFilterBits } from './facets.ts'
import { compareHits, Hit } from './hit.ts'
import { Neighborhoods } from './neighborhoods.ts'
import type { SearchFilter } from './query.ts'
import { isMisspelledStopWord, requiredWords } from './relevance.ts'
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

/** Changes after which a new index is worthwhile. */
const maxChanged = 5000

/**
 * Index of merchants: a large segment, and small ones with what has changed since. It is immutable: a changed merchant is
 * in a new version, which has the same large segment without it and another small one.
 */
export class MerchantIndex {
  readonly #state: IndexState

  /** Returns an index of these merchants, whose ids ascend. */
  static of(rows: readonly MerchantRow[], limits?: Limits): MerchantIndex {
    const absent = rows.filter(({ participating }) => !participating)
    const packer = new RowPacker()
    for (const row of rows) if (row.participating) packer.add(row)
    return MerchantIndex.from(buildIndex(packer.finish(), absent), limits)
  }

  /** Returns the index of the columns of `buildIndex`. */
  static from(columns: Columns, limits?: Limits): MerchantIndex {
    const base = Segment.of(columns, limits)
    const [neighborhoods, cities] = [new Neighborhoods(), new Cities()]
    neighborhoods.restore(JSON.parse(new TextDecoder().decode(columns.neighborhoods as Uint8Array)))
    cities.restore(JSON.parse(new TextDecoder().decode(columns.cities as Uint8Array)))
    const absent = new Set(columns.absentIds as Float64Array)
    return new MerchantIndex({
      base,
      recent: [],
      suggestions: Suggestions.of(base),
      neighborhoods,
      cities,
      absent,
      limits,
    })
  }

  private constructor(state: IndexState) {
    this.#state = state
  }

  /**
   * Returns the version with these merchants added or replaced, and others, which no longer exist, removed. Searches of
   * this version have their turns meanwhile.
   */
  async withChanges(rows: readonly MerchantRow[], deletedIds: readonly number[] = []): Promise<MerchantIndex> {
    return new MerchantIndex(await changeIndex(this.#state, rows, deletedIds))
  }

  get neighborhoods(): Neighborhoods {
    return this.#state.neighborhoods
  }

  get cities(): Cities {
    return this.#state.cities
  }

  /** Number of merchants ever added, participating or not. */
  get knownCount(): number {
    return this.#state.absent.size + this.size
  }

  /** Number of participating merchants. */
  get size(): number {
    return this.#segments.reduce((sum, { presentCount }) => sum + presentCount, 0)
  }

  /** Returns true when so much has changed that a new index is worthwhile. */
  get needsRebuild(): boolean {
    const { base, recent } = this.#state
    return base.removed + recent.reduce((sum, { count }) => sum + count, 0) > maxChanged
  }

  get #segments(): Segment[] {
    return [this.#state.base, ...this.#state.recent]
  }

  /** Returns true for a merchant that is in the index, participating or not. */
  isKnown(id: number): boolean {
    return this.#state.absent.has(id) || this.#segments.some((segment) => segment.slotOfId(id) >= 0)
  }

  /** Yields the ids of all known merchants. */
  *knownIds(): Generator<number> {
    yield* this.#state.absent
    for (const segment of this.#segments) yield* segment.presentIds()
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
    const { base } = this.#state
    const recent = this.#state.recent
      .flatMap((segment) => [...segment.presentIds()].map((id) => ({ id, segment })))
      .sort((a, b) => a.id - b.id)
    const rows: MerchantRow[] = []
    let [at, next] = [0, 0]
    const take = (segment: Segment, id: number) => {
      if (at++ >= from && rows.length < count) rows.push(segment.rowAt(segment.slotOfId(id)))
    }
    for (const id of base.orderedIds()) {
      for (let other = recent[next]; other && other.id < id; other = recent[++next]) take(other.segment, other.id)
      take(base, id)
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
    // "noodels" is further from "noodle" than its singular.
    const singular = words.map((word) => (word.length > 4 ? word.replace(/s$/, '') : word))
    if (singular.some((word, at) => word !== words[at])) yield { ...requiredWords(singular), fuzzy: true }
    const others = words.filter((word) => !isMisspelledStopWord(word))
    if (others.length < words.length) yield* [false, true].map((fuzzy) => ({ ...requiredWords(others), fuzzy }))
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
      const { optional, count: typedCount } = reading
      const scorer = terms.length > 0 ? { terms, optional, typedCount } : null
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
    return this.#state.suggestions.find(text, limit)
  }
}

/** One meaning of a text. */
type Reading = ReturnType<typeof requiredWords> & { fuzzy: boolean }

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
