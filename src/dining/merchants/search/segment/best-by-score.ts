import type { Level, Scorer, Term } from '../words/word-index.ts'
import { clearBit, hasBit, setBit } from './bitmap.ts'
import type { Segment } from './segment.ts'
import { type SegmentQuery, scoreOf } from './segment-query.ts'
import { TopSlots } from './top-slots.ts'

/**
 * Returns the matches with the highest scores; among equal ones, those of the best rank. Each word's slots are read from
 * its highest score downwards, until no other match can have a higher score than those found (threshold algorithm).
 */
export function bestByScore(segment: Segment, query: SegmentQuery, scorer: Scorer): number[] {
  const { scores, ranks } = segment
  const top = new TopSlots(
    query.end,
    (a, b) => (scores[b] as number) - (scores[a] as number) || (ranks[a] as number) - (ranks[b] as number),
  )
  descend(segment, query, scorer, {
    visit: (slot) => top.offer(slot),
    isDone: (bound) => top.last !== undefined && (scores[top.last] as number) >= bound,
    // Those after it in the list have at most its score, and a worse rank.
    isLater: (slot, bound) =>
      top.last !== undefined && scores[top.last] === bound && (ranks[slot] as number) > (ranks[top.last] as number),
    isBelow: (bound) => top.last !== undefined && (scores[top.last] as number) > bound,
  })
  return top.sorted()
}

/** Returns all matches with exactly this score. */
export function withScore(segment: Segment, query: SegmentQuery, scorer: Scorer, score: number): number[] {
  const found: number[] = []
  descend(segment, query, scorer, {
    visit(slot) {
      if (segment.scores[slot] === score) found.push(slot)
    },
    isDone: () => false,
    isLater: () => false,
    isBelow: (bound) => bound < score,
  })
  return found
}

interface Descent {
  /** Called once for each match, with its score stored. */
  visit: (slot: number) => void
  /** Returns true, after a level was read, when unvisited slots, whose scores are at most `bound`, do not matter. */
  isDone: (bound: number) => boolean
  /** Returns true when neither this slot of a list nor those after it matter. */
  isLater: (slot: number, bound: number) => boolean
  /** Returns true, before a level is read, when it does not matter. */
  isBelow: (bound: number) => boolean
}

function descend(segment: Segment, query: SegmentQuery, scorer: Scorer, descent: Descent): void {
  const { words, blocks, scores, seen } = segment
  const { matches, circle } = query
  const lists = scorer.terms.map((term) => words.levels(term))
  const boosts = scorer.optional.map((typed) => words.maxBoostOf(typed))
  const at = lists.map(() => 0)
  const visited: number[] = []
  const { runSlots } = words
  const visit = (slot: number) => {
    if (!hasBit(matches.bits, slot) || hasBit(seen, slot)) return
    if (circle && !blocks.isWithin(slot, circle)) return
    setBit(seen, slot)
    visited.push(slot)
    scores[slot] = scoreOf(segment, scorer, slot)
    descent.visit(slot)
  }
  // First, because their scores are above the bounds of the levels.
  const [first, ...others] = scorer.terms
  const rarest = others.reduce((least, term) => (term.size < (least as Term).size ? term : least), first) as Term
  words.eachNamed(rarest, scorer.typedCount, (slot) => {
    if (words.isWholeName(scorer, slot)) visit(slot)
  })
  for (;;) {
    const levels = lists.map((list, index) => list[at[index] as number])
    if (!levels.every((level) => level !== undefined)) break
    // Added in the order of the scores, so that rounding is the same.
    const bound = [...levels.map(({ value }) => value), ...boosts].reduce((sum, value) => sum + value, 0)
    if (descent.isBelow(bound)) break
    const smallest = indexOfSmallest(levels)
    for (const run of (levels[smallest] as Level).runs) {
      const [start, end] = words.runOf(run)
      for (let place = start; place < end; place++) {
        const slot = runSlots[place] as number
        if (descent.isLater(slot, bound)) break
        visit(slot)
      }
    }
    if (descent.isDone(bound)) break
    at[smallest] = (at[smallest] as number) + 1
  }
  for (const slot of visited) clearBit(seen, slot)
}

function indexOfSmallest(levels: readonly Level[]): number {
  let smallest = 0
  levels.forEach(({ size }, index) => {
    if (size < (levels[smallest] as Level).size) smallest = index
  })
  return smallest
}
