import { hasBit } from './bitmap.ts'
import type { Ordering } from './build-orders.ts'
import type { Segment } from './segment.ts'
import { eachWithin, type SegmentQuery } from './segment-query.ts'

/** Slots of a group that are read one after the other before those nearby are searched. */
const maxGroup = 2_000

/**
 * Returns the first matches in a static order. When an origin decides between equal ones, all of the last group are
 * included, or, when it is large, none: then `tie` is that group.
 */
export function firstByOrder(
  segment: Segment,
  query: SegmentQuery,
  { slots, groups }: Ordering,
): { slots: number[]; tie: number | null } {
  const { matches, circle, origin, end } = query
  const { blocks } = segment
  const fits = (slot: number) => hasBit(matches.bits, slot) && (!circle || blocks.isWithin(slot, circle))
  const found: number[] = []
  // The matches may be the last of the order: then all are collected.
  const maxSteps = 10_000 + 4 * matches.total
  let at = 0
  for (; found.length < end && at < slots.length; at++) {
    if (at > maxSteps) return { slots: allOf(segment, query), tie: null }
    if (fits(slots[at] as number)) found.push(slots[at] as number)
  }
  const last = found.at(-1)
  if (last === undefined || !origin) return { slots: found, tie: null }
  const tie = groups[last] as number
  for (const until = Math.min(slots.length, at + maxGroup); at < until; at++) {
    if (groups[slots[at] as number] !== tie) return { slots: found, tie: null }
    if (fits(slots[at] as number)) found.push(slots[at] as number)
  }
  if (at === slots.length) return { slots: found, tie: null }
  return { slots: found.filter((slot) => groups[slot] !== tie), tie }
}

function allOf(segment: Segment, query: SegmentQuery): number[] {
  const slots: number[] = []
  eachWithin(segment, query, (slot) => slots.push(slot))
  return slots
}
