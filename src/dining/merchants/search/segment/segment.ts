import { LRUCache } from 'lru-cache'
import type { MerchantRow } from '../../catalog/store.ts'
import { isUnfiltered } from '../facets.ts'
import { Blocks } from '../space/blocks.ts'
import { type Term, WordIndex } from '../words/word-index.ts'
import { type Bitmap, bitmapFor, clearBit, hasBit } from './bitmap.ts'
import type { Ordering } from './build-orders.ts'
import { type Columns, hashText } from './columns.ts'
import { FilterSets } from './filter-sets.ts'
import { type Condition, Matches } from './matches.ts'
import { RowReader, toPackedRows } from './packed-rows.ts'

/** What decides how a search is done, never its result. */
export interface Limits {
  /** Matches up to this number are listed, and all their scores computed; more are a set. */
  listed: number
  /** Up to this number of matches each is compared; of more, only those that can be on the page. */
  compared: number
}

const defaultLimits: Limits = { listed: 500, compared: 3000 }
/** A term with at most this many times the listed slots is matched slot by slot. */
const maxVisitedPerListed = 4
/** Rows that are kept as objects because they were found recently. */
const maxRows = 4000
/** Bytes of recent matches. */
const maxMatchesBytes = 32e6

/** What all versions of a segment share: columns, what is read from them, and the state of the current search. */
interface Shared {
  columns: Columns
  limits: Limits
  rows: RowReader
  recentRows: LRUCache<number, MerchantRow>
  words: WordIndex
  blocks: Blocks
  filters: FilterSets
  scores: Float64Array
  seen: Bitmap
  scratch: Bitmap
}

/**
 * An immutable set of merchants with indexes for searches, in typed arrays. Its merchants are numbered: a slot is a
 * number. A version without some of its merchants shares the arrays; changed merchants are in a newer segment.
 */
export class Segment {
  readonly columns: Columns
  readonly limits: Limits
  readonly count: number
  /** Number of merchants that this version is without. */
  readonly removed: number
  readonly words: WordIndex
  readonly blocks: Blocks
  readonly facets: Uint32Array
  readonly ranks: Uint32Array
  readonly orders: Record<'rating' | 'name' | 'newest', Ordering>
  /** State of the current search, by slot. */
  readonly scores: Float64Array
  readonly seen: Bitmap
  readonly #shared: Shared
  readonly #ids: Float64Array
  readonly #byId: Uint32Array
  readonly #slugs: Uint32Array
  readonly #present: Bitmap
  readonly #matches = new LRUCache<string, Matches, Condition>({
    maxSize: maxMatchesBytes,
    sizeCalculation: ({ bytes }) => bytes,
    memoMethod: (_key, _stale, { context }) => this.#match(context),
  })

  static of(columns: Columns, limits = defaultLimits): Segment {
    const rows = new RowReader(toPackedRows(columns))
    const present = bitmapFor(rows.count).fill(0xffffffff)
    if (rows.count % 32 !== 0) present[present.length - 1] = 2 ** (rows.count % 32) - 1
    const shared = {
      columns,
      limits,
      rows,
      recentRows: new LRUCache<number, MerchantRow>({ max: maxRows, memoMethod: (slot) => rows.at(slot) }),
      words: new WordIndex(columns),
      blocks: new Blocks(columns),
      filters: new FilterSets(columns),
      scores: new Float64Array(rows.count),
      seen: bitmapFor(rows.count),
      scratch: bitmapFor(rows.count),
    }
    return new Segment(shared, present, 0)
  }

  private constructor(shared: Shared, present: Bitmap, removed: number) {
    const { columns } = shared
    const of = (name: string) => columns[name] as Uint32Array
    this.#shared = shared
    this.#present = present
    this.removed = removed
    this.columns = columns
    this.limits = shared.limits
    this.count = shared.rows.count
    this.words = shared.words
    this.blocks = shared.blocks
    this.scores = shared.scores
    this.seen = shared.seen
    this.facets = of('facets')
    this.ranks = of('ranks')
    this.orders = {
      rating: { slots: of('byRank'), groups: of('rankGroups') },
      name: { slots: of('byName'), groups: of('nameGroups') },
      newest: { slots: of('byNewest'), groups: of('newestGroups') },
    }
    this.#ids = columns.ids as Float64Array
    this.#byId = of('byId')
    this.#slugs = of('slugs')
  }

  /** Returns the version without these merchants, which are in this one. */
  without(slots: readonly number[]): Segment {
    if (slots.length === 0) return this
    const present = this.#present.slice()
    for (const slot of slots) clearBit(present, slot)
    return new Segment(this.#shared, present, this.removed + slots.length)
  }

  get presentCount(): number {
    return this.count - this.removed
  }

  rowAt(slot: number): MerchantRow {
    return this.#shared.recentRows.memo(slot)
  }

  idAt(slot: number): number {
    return this.#ids[slot] as number
  }

  nameAt(slot: number): string {
    return this.#shared.rows.nameAt(slot)
  }

  /** Yields the merchants that were not removed. */
  *rows(): Generator<MerchantRow> {
    for (let slot = 0; slot < this.count; slot++) if (hasBit(this.#present, slot)) yield this.#shared.rows.at(slot)
  }

  /** Yields the ids of the merchants that were not removed. */
  *presentIds(): Generator<number> {
    for (let slot = 0; slot < this.count; slot++) if (hasBit(this.#present, slot)) yield this.idAt(slot)
  }

  /** Yields the ids of the merchants that were not removed, ascending. */
  *orderedIds(): Generator<number> {
    for (const slot of this.#byId) if (hasBit(this.#present, slot)) yield this.idAt(slot)
  }

  /** Returns the slot of a merchant that was not removed, or -1. */
  slotOfId(id: number): number {
    let [low, high] = [0, this.count]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.idAt(this.#byId[middle] as number) < id) low = middle + 1
      else high = middle
    }
    const slot = this.#byId[low]
    return slot !== undefined && this.idAt(slot) === id && hasBit(this.#present, slot) ? slot : -1
  }

  slotOfPublicId(publicId: string): number {
    const last = this.#slugs.length - 1
    for (let at = hashText(publicId) & last; this.#slugs[at] !== 0; at = (at + 1) & last) {
      const slot = (this.#slugs[at] as number) - 1
      if (hasBit(this.#present, slot) && this.#shared.rows.publicIdAt(slot) === publicId) return slot
    }
    return -1
  }

  /** Returns what matches text and filters, at any place. */
  matches(condition: Condition): Matches {
    const { required, fuzzy, filterBits, rare } = condition
    const { every, meals, prices } = filterBits
    const key = `${fuzzy ? '~' : '='}${required.join(' ')} ${every} ${meals} ${prices} ${rare ? this.#shared.filters.keyOf(rare) : ''}`
    return this.#matches.memo(key, { context: condition })
  }

  #match({ required, fuzzy, filterBits, rare }: Condition): Matches {
    const terms = required.map((typed) => this.words.term(typed, fuzzy)).sort((a, b) => a.size - b.size)
    const sets = [
      ...(isUnfiltered(filterBits) ? [] : [this.#shared.filters.ofFacets(filterBits)]),
      ...(rare ? [this.#shared.filters.ofRare(rare)] : []),
      ...(this.removed > 0 || terms.length === 0 ? [this.#present] : []),
    ]
    const [rarest, ...others] = terms
    if (rarest && rarest.size <= maxVisitedPerListed * this.limits.listed)
      return Matches.ofSlots(this.#listed(rarest, others, sets))
    const all = [...sets, ...terms.map((term) => this.words.slotsOf(term))]
    return Matches.ofAll(all, this.#shared.scratch, this.limits.listed)
  }

  #listed(rarest: Term, others: readonly Term[], sets: readonly Bitmap[]): number[] {
    const frequent = others.filter((term) => this.words.isFrequent(term))
    const rare = others.filter((term) => !this.words.isFrequent(term))
    const all = [...sets, ...frequent.map((term) => this.words.slotsOf(term))]
    return this.words
      .slotsWithin(rarest, all)
      .filter((slot) => rare.every((term) => this.words.scoreOf(term, slot) > 0))
  }
}
