import type { Point } from '../../../programs/places/contract.ts'
import { chordOfMiles, onSphere } from '../rules.ts'
import { firstOf } from './first-of.ts'
import { type Block, lineTo, type PointGrid } from './point-grid.ts'

export interface Nearby {
  /** Returns true when an item matches the search. */
  fits: (item: number) => boolean
  /** True when every item that was not dropped matches; then `fits` is not called for each. */
  all: boolean
  /** Returns the squared chord from the origin to an item; the caller stores it. */
  chord: (item: number) => number
}

/** Cells nearer than this multiple of their own reach are searched for the nearest items. */
const close = 4
/** Cells with fewer items are not searched in parts. */
const worthParts = 300

/**
 * Returns the nearest `count` items within `miles`, unordered, and the total. Distances are computed only where an item
 * could be among the nearest, and at the edge of the circle; elsewhere items are only counted.
 */
export function nearest(
  grid: PointGrid,
  { origin, miles, count }: { origin: Point; miles: number; count: number },
  { fits, all, chord }: Nearby,
): { items: number[]; total: number } {
  const center = onSphere(origin)
  const farthest = chordOfMiles(miles)
  const radius = Math.sqrt(farthest)
  const blocks = blocksAround(grid, { origin, miles, center, radius })
  const items: number[] = []
  let total = 0
  /** Items farther than this are not among the nearest. */
  let limit = Number.POSITIVE_INFINITY
  for (const { block, line } of blocks) {
    const [least, most] = [line - block.reach, line + block.reach]
    const there = block.items
    if (least > limit && most <= radius) {
      if (all) total += there.length - block.gone
      else for (let at = 0; at < there.length; at++) if (fits(there[at] as number)) total++
      continue
    }
    for (let at = 0; at < there.length; at++) {
      const item = there[at] as number
      if (!fits(item)) continue
      const away = chord(item)
      if (away > farthest) continue
      total++
      if (least <= limit) items.push(item)
    }
    if (items.length >= count && least <= limit) limit = lineOfLast(items, count, chord)
  }
  return { items, total }
}

interface Around {
  origin: Point
  miles: number
  center: [number, number, number]
  radius: number
}

interface Placed {
  block: Block
  line: number
}

/** Returns the blocks around the origin, near ones first and sorted; whole cells where no distances are needed. */
function blocksAround(grid: PointGrid, { origin, miles, center, radius }: Around): Placed[] {
  const near: Placed[] = []
  const far: Placed[] = []
  for (const cell of grid.near(origin, miles)) {
    const line = lineTo(cell, center)
    const isClose = line < close * cell.reach
    const isEdge = line + cell.reach > radius
    const list = isClose ? near : far
    if ((!isClose && !isEdge) || cell.items.length < worthParts) list.push({ block: cell, line })
    else for (const part of cell.parts) list.push({ block: part, line: lineTo(part, center) })
  }
  near.sort((a, b) => a.line - b.line)
  return [...near, ...far]
}

function lineOfLast(items: readonly number[], count: number, chord: (item: number) => number): number {
  const last = firstOf(items, count, (a, b) => chord(a) - chord(b)).at(-1)
  return last === undefined ? Number.POSITIVE_INFINITY : Math.sqrt(chord(last))
}
