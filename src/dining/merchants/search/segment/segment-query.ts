import { wholeNameBonus } from '../relevance.ts'
import type { Circle } from '../space/blocks.ts'
import type { Scorer } from '../words/word-index.ts'
import { lowestBit } from './bitmap.ts'
import { type Matches, wordsPerArea } from './matches.ts'
import type { Segment } from './segment.ts'

/** A search in one segment. */
export interface SegmentQuery {
  matches: Matches
  /** Only slots within this circle; null for all. */
  circle: Circle | null
  /** The point from which distances are measured. */
  origin: Circle | null
  sortBy: 'distance' | 'rating' | 'name' | 'newest' | 'relevance'
  scorer: Scorer | null
  /** Number of slots to return. */
  end: number
}

export function countWithin(
  { blocks }: Segment,
  { matches, circle }: Pick<SegmentQuery, 'matches' | 'circle'>,
): number {
  if (!circle) return matches.total
  if (!matches.slots) return blocks.count(matches.bits, matches.areaCounts, circle)
  let count = 0
  for (let at = 0; at < matches.slots.length; at++) if (blocks.isWithin(matches.slots[at] as number, circle)) count++
  return count
}

/** Calls back for every match within the circle. */
export function eachWithin(
  { blocks }: Segment,
  { matches, circle }: Pick<SegmentQuery, 'matches' | 'circle'>,
  visit: (slot: number) => void,
): void {
  const { slots, bits } = matches
  if (slots) {
    for (let at = 0; at < slots.length; at++) {
      const slot = slots[at] as number
      if (!circle || blocks.isWithin(slot, circle)) visit(slot)
    }
    return
  }
  const word = (at: number) => {
    for (let rest = bits[at] as number; rest !== 0; rest &= rest - 1) visit((at << 5) + lowestBit(rest))
  }
  const words = (from: number, until: number) => {
    for (let at = from; at < Math.min(bits.length, until); at++) word(at)
  }
  if (!circle) words(0, bits.length)
  else
    blocks.visit(bits, circle, {
      area: (area) => words(area * wordsPerArea, (area + 1) * wordsPerArea),
      word,
      slot: visit,
    })
}

export function scoreOf({ words }: Segment, scorer: Scorer, slot: number): number {
  let score = 0
  for (const term of scorer.terms) score += words.scoreOf(term, slot)
  for (const typed of scorer.optional) score += words.boostOf(typed, slot)
  return words.isWholeName(scorer, slot) ? score + wholeNameBonus : score
}
