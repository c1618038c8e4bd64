import type { MerchantRow } from '../catalog/store.ts'
import { meanRating } from '../rules.ts'
import type { SearchFilter } from './query.ts'
import { compareText } from './segment/build-orders.ts'
import type { Segment } from './segment/segment.ts'
import { scoreOf } from './segment/segment-query.ts'
import type { Circle } from './space/blocks.ts'
import { wordsOf } from './text.ts'
import type { Scorer } from './words/word-index.ts'

/** A merchant that was found. What orders it among those of other segments is read when it is needed. */
export class Hit {
  readonly segment: Segment
  readonly slot: number
  readonly #query: { origin: Circle | null; scorer: Scorer | null }
  #row: MerchantRow | undefined
  #score: number | undefined
  #sortName: string | undefined

  constructor(segment: Segment, slot: number, query: { origin: Circle | null; scorer: Scorer | null }) {
    this.segment = segment
    this.slot = slot
    this.#query = query
  }

  get id(): number {
    return this.segment.idAt(this.slot)
  }

  get row(): MerchantRow {
    this.#row ??= this.segment.rowAt(this.slot)
    return this.#row
  }

  get score(): number {
    this.#score ??= this.#query.scorer ? scoreOf(this.segment, this.#query.scorer, this.slot) : 0
    return this.#score
  }

  get squaredDistance(): number {
    const { origin } = this.#query
    return origin ? this.segment.blocks.squaredDistance(this.slot, origin) : 0
  }

  get sortName(): string {
    this.#sortName ??= wordsOf(this.row.name).join(' ')
    return this.#sortName
  }
}

type Compare = (a: Hit, b: Hit) => number

const near: Compare = (a, b) => a.squaredDistance - b.squaredDistance
const score: Compare = (a, b) => b.score - a.score
const rating: Compare = (a, b) => tenths(b.row) - tenths(a.row) || b.row.ratingCount - a.row.ratingCount
const id: Compare = (a, b) => a.id - b.id
const orders: Record<SearchFilter['sortBy'], Compare> = {
  distance: (a, b) => near(a, b) || id(a, b),
  relevance: (a, b) => score(a, b) || near(a, b) || rating(a, b) || id(a, b),
  rating: (a, b) => rating(a, b) || near(a, b) || id(a, b),
  name: (a, b) => compareText(a.sortName, b.sortName) || near(a, b) || id(a, b),
  newest: (a, b) => compareText(b.row.joinedOn, a.row.joinedOn) || near(a, b) || id(a, b),
}

/** Returns the order of hits of several segments. Without an origin, the best match comes first. */
export function compareHits({ sortBy, origin }: SearchFilter): Compare {
  return orders[sortBy === 'distance' && !origin ? 'relevance' : sortBy]
}

function tenths({ ratingSum, ratingCount }: MerchantRow): number {
  return Math.round(meanRating(ratingSum, ratingCount) * 10)
}
