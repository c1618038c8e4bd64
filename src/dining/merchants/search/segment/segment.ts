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

/**
 * An immutable set of merchants with indexes for searches, in typed arrays. Its merchants are numbered: a slot is a
 * number. Merchants can only be removed; changed ones are in a newer segment.
 */
export class Segment {
  readonly columns: Columns
  readonly limits: Limits
  readonly count: number
  readonly words: WordIndex
  readonly blocks: Blocks
  readonly facets: Uint32Array
  readonly ranks: Uint32Array
  readonly orders: Record<'rating' | 'name' | 'newest', Ordering>
  /** State of the current search, by slot. */
  readonly scores: Float64Array
  readonly seen: Bitmap
  removed = 0
  readonly #rows: RowReader
  readonly #ids: Float64Array
  readonly #byId: Uint32Array
  readonly #slugs: Uint32Array
  readonly #filters: FilterSets
  readonly #present: Bitmap
  readonly #scratch: Bitmap
  readonly #recentRows = new LRUCache<number, MerchantRow>({ max: maxRows, memoMethod: (slot) => this.#rows.at(slot) })
  readonly #matches = new LRUCache<string, Matches, Condition>({
    maxSize: maxMatchesBytes,
    sizeCalculation: ({ bytes }) => bytes,
    memoMethod: (_key, _stale, { context }) => this.#match(context),
  })

  constructor(columns: Columns, limits = defaultLimits) {
    const of = (name: string) => columns[name] as Uint32Array
    this.columns = columns
    this.limits = limits
    this.#rows = new RowReader(toPackedRows(columns))
    this.count = this.#rows.count
    this.words = new WordIndex(columns)
    this.blocks = new Blocks(columns)
    this.#filters = new FilterSets(columns)
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
    this.scores = new Float64Array(this.count)
    this.seen = bitmapFor(this.count)
    this.#scratch = bitmapFor(this.count)
    this.#present = bitmapFor(this.count).fill(0xffffffff)
    if (this.count % 32 !== 0) this.#present[this.#present.length - 1] = 2 ** (this.count % 32) - 1
  }

  get presentCount(): number {
    return this.count - this.removed
  }

  rowAt(slot: number): MerchantRow {
    return this.#recentRows.memo(slot)
  }

  idAt(slot: number): number {
    return this.#ids[slot] as number
  }

  nameAt(slot: number): string {
    return this.#rows.nameAt(slot)
  }

  /** Yields the merchants that were not removed. */
  *rows(): Generator<MerchantRow> {
    for (let slot = 0; slot < this.count; slot++) if (hasBit(this.#present, slot)) yield this.#rows.at(slot)
  }

  presentIds(): number[] {
    return Array.from(this.#ids).filter((_, slot) => hasBit(this.#present, slot))
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
      if (hasBit(this.#present, slot) && this.#rows.publicIdAt(slot) === publicId) return slot
    }
    return -1
  }

  remove(slot: number): void {
    clearBit(this.#present, slot)
    this.removed++
    this.#matches.clear()
  }

  /** Returns what matches text and filters, at any place. */
  matches(condition: Condition): Matches {
    const { required, fuzzy, filterBits, rare } = condition
    const { every, meals, prices } = filterBits
    const key = `${fuzzy ? '~' : '='}${required.join(' ')} ${every} ${meals} ${prices} ${rare ? this.#filters.keyOf(rare) : ''}`
    return this.#matches.memo(key, { context: condition })
  }

  #match({ required, fuzzy, filterBits, rare }: Condition): Matches {
    const terms = required.map((typed) => this.words.term(typed, fuzzy)).sort((a, b) => a.size - b.size)
    const sets = [
      ...(isUnfiltered(filterBits) ? [] : [this.#filters.ofFacets(filterBits)]),
      ...(rare ? [this.#filters.ofRare(rare)] : []),
      ...(this.removed > 0 || terms.length === 0 ? [this.#present] : []),
    ]
    const [rarest, ...others] = terms
    if (rarest && rarest.size <= maxVisitedPerListed * this.limits.listed)
      return Matches.ofSlots(this.#listed(rarest, others, sets))
    const all = [...sets, ...terms.map((term) => this.words.slotsOf(term))]
    return Matches.ofAll(all, this.#scratch, this.limits.listed)
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
