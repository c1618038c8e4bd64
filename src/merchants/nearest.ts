import type { Point } from '../places/contract.ts'
import { firstOf } from './first-of.ts'
import { type Block, lineTo, type PointGrid } from './point-grid.ts'
import { chordOfMiles, onSphere } from './rules.ts'

export interface Nearby {
  /** Whether an item counts at all. */
  fits: (item: number) => boolean
  /** Whether every item counts that has not been taken out: then nobody has to ask each of them. */
  all: boolean
  /** The square of the straight line from the origin to an item; is remembered by who gives it. */
  chord: (item: number) => number
}

/** Cells nearer than this many of their own reach are where the nearest are looked for. */
const close = 4
/** Cells with fewer items are not worth looking at in parts. */
const worthParts = 300

/**
 * The nearest `count` items within `miles`, in no order, and how many there are in all. Of what is far only the number
 * matters: distances are worked out where somebody could be among the nearest, and at the edge of the circle.
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
  /** Nobody farther than this is among the nearest. */
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

/** What lies around the origin, the close parts first and in order; whole cells where nobody looks closely. */
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
