import type { Circle } from '../space/blocks.ts'
import { bestByScore, withScore } from './best-by-score.ts'
import { firstByOrder } from './first-by-order.ts'
import type { Segment } from './segment.ts'
import { countWithin, eachWithin, type SegmentQuery, scoreOf } from './segment-query.ts'
import { TopSlots } from './top-slots.ts'

type Compare = (a: number, b: number) => number

/** Returns the first slots of a search in its order, and the number of matches. */
export function searchSegment(segment: Segment, query: SegmentQuery): { slots: number[]; total: number } {
  const total = countWithin(segment, query)
  if (total === 0 || query.end === 0) return { slots: [], total }
  const { listed, compared } = segment.limits
  const isSmall = total <= (isByScore(query) ? listed : compared)
  const all = query.matches.slots !== null || isSmall || query.end > total / 8
  return { slots: all ? firstOfAll(segment, query) : firstOfMany(segment, query), total }
}

function isByScore({ sortBy, origin, scorer }: SegmentQuery): boolean {
  return scorer !== null && (sortBy === 'relevance' || (sortBy === 'distance' && !origin))
}

// Every order ends with the id, so that pages neither repeat nor lose a merchant.
function orderOf(segment: Segment, query: SegmentQuery): Compare {
  const { ranks, blocks, scores, orders } = segment
  const { sortBy, origin } = query
  const rank: Compare = (a, b) => (ranks[a] as number) - (ranks[b] as number)
  const id: Compare = (a, b) => segment.idAt(a) - segment.idAt(b)
  const near: Compare = origin
    ? (a, b) => blocks.squaredDistance(a, origin) - blocks.squaredDistance(b, origin)
    : () => 0
  if (isByScore(query)) return (a, b) => (scores[b] as number) - (scores[a] as number) || near(a, b) || rank(a, b)
  if (sortBy === 'relevance' || (sortBy === 'distance' && !origin)) return (a, b) => near(a, b) || rank(a, b)
  if (sortBy === 'distance') return (a, b) => near(a, b) || id(a, b)
  const { groups } = orders[sortBy]
  return (a, b) => (groups[a] as number) - (groups[b] as number) || near(a, b) || id(a, b)
}

function firstOfAll(segment: Segment, query: SegmentQuery): number[] {
  const slots: number[] = []
  const { scorer } = query
  const scored = scorer && isByScore(query)
  eachWithin(segment, query, (slot) => {
    if (scored) segment.scores[slot] = scoreOf(segment, scorer, slot)
    slots.push(slot)
  })
  const top = new TopSlots(Math.min(query.end, slots.length), orderOf(segment, query))
  for (const slot of slots) top.offer(slot)
  return top.sorted()
}

function firstOfMany(segment: Segment, query: SegmentQuery): number[] {
  const { origin, sortBy, scorer, end } = query
  const compare = orderOf(segment, query)
  if (scorer && isByScore(query)) {
    const best = bestByScore(segment, query, scorer)
    if (!origin) return best
    // Those with the score of the last one are sorted by distance.
    const lowest = segment.scores[best.at(-1) as number] as number
    const sure = best.filter((slot) => (segment.scores[slot] as number) > lowest)
    let scored = 0
    const same =
      nearest(segment, query, compare, (slot) => {
        if (++scored > segment.limits.compared) return null
        segment.scores[slot] = scoreOf(segment, scorer, slot)
        return segment.scores[slot] === lowest
      }) ?? withScore(segment, query, scorer, lowest)
    return [...sure, ...same].sort(compare).slice(0, end)
  }
  if (sortBy === 'rating' || sortBy === 'name' || sortBy === 'newest' || !origin) {
    const order = segment.orders[sortBy === 'name' || sortBy === 'newest' ? sortBy : 'rating']
    const { slots, tie } = firstByOrder(segment, query, order)
    if (tie === null || !origin) return slots.sort(compare).slice(0, end)
    const same = nearest(segment, query, compare, (slot) => order.groups[slot] === tie)
    return [...slots, ...(same as number[])].sort(compare).slice(0, end)
  }
  return nearest(segment, query, compare, () => true) as number[]
}

/**
 * Returns the nearest matches that are accepted; `compare` orders them by distance. Returns null as soon as `accepts` does.
 */
function nearest(
  { blocks }: Segment,
  { matches, circle, origin, end }: SegmentQuery,
  compare: Compare,
  accepts: (slot: number) => boolean | null,
): number[] | null {
  const top = new TopSlots(end, compare)
  const around = circle ?? { ...(origin as Circle), maxSquared: everywhere }
  let limit = around.maxSquared
  let isAborted = false
  blocks.visitNearest(matches.bits, around, (slot) => {
    if (isAborted || blocks.squaredDistance(slot, around) > limit) return limit
    const accepted = accepts(slot)
    if (accepted === null) {
      isAborted = true
      limit = 0
    } else if (accepted) {
      top.offer(slot)
      if (top.last !== undefined) limit = blocks.squaredDistance(top.last, around)
    }
    return limit
  })
  return isAborted ? null : top.sorted()
}

/** More than the square of any chord. */
const everywhere = 5
