import type { FilterBits } from '../facets.ts'
import { type Bitmap, bitCount, slotsOf } from './bitmap.ts'

/** Slots per area are 4096: 128 words of a bitmap. */
export const wordsPerArea = 128

/** What a search matches, apart from the place. */
export interface Condition {
  required: readonly string[]
  fuzzy: boolean
  filterBits: FilterBits
  rare: RareFilter | null
}

export interface RareFilter {
  earnDays: readonly number[]
  campaignCode: string | null
  state: string | null
  city: { slug: string; cuisine: string | null } | null
  today: (timeZone: string) => string
}

const none = new Uint32Array(0)

/** The slots that match a condition, at any place: as a list when they are few, else as a set. */
export class Matches {
  readonly total: number
  readonly slots: readonly number[] | null
  readonly bits: Bitmap
  /** Matches per area. */
  readonly areaCounts: Uint32Array
  /** Counts of each facet, by area; computed when they are needed. */
  readonly areaFacets = new Map<number, Uint32Array>()
  /** Counts of each facet in each word of the bitmap, by area at the edge of a circle. */
  readonly wordFacets = new Map<number, Uint8Array>()

  private constructor(total: number, slots: readonly number[] | null, bits: Bitmap, areaCounts: Uint32Array) {
    this.total = total
    this.slots = slots
    this.bits = bits
    this.areaCounts = areaCounts
  }

  static ofSlots(slots: readonly number[]): Matches {
    return new Matches(slots.length, slots, none, none)
  }

  /** Returns the slots that are in all of one or more sets. `scratch` is overwritten. */
  static ofAll(sets: readonly Bitmap[], scratch: Bitmap, maxListed: number): Matches {
    intersectAll(sets, scratch)
    const areaCounts = new Uint32Array(Math.ceil(scratch.length / wordsPerArea))
    let total = 0
    for (let area = 0; area < areaCounts.length; area++) {
      let count = 0
      const end = Math.min(scratch.length, (area + 1) * wordsPerArea)
      for (let at = area * wordsPerArea; at < end; at++) {
        const word = scratch[at] as number
        if (word !== 0) count += bitCount(word)
      }
      areaCounts[area] = count
      total += count
    }
    if (total <= maxListed) return Matches.ofSlots(slotsOf(scratch))
    return new Matches(total, null, scratch.slice(), areaCounts)
  }

  /** Approximate size in memory. */
  get bytes(): number {
    // With the facets of most areas.
    return 500 + 8 * (this.slots?.length ?? 0) + 4 * this.bits.byteLength
  }
}

function intersectAll(sets: readonly Bitmap[], result: Bitmap): void {
  const [a = none, b = a, c = b, ...others] = sets
  for (let at = 0; at < result.length; at++) result[at] = (a[at] as number) & (b[at] as number) & (c[at] as number)
  for (const set of others)
    for (let at = 0; at < result.length; at++) result[at] = (result[at] as number) & (set[at] as number)
}
