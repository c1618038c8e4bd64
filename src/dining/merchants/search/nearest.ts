import type { Point } from '../../../programs/places/contract.ts'
import { squaredDistanceFromMiles, toUnitVector } from '../rules.ts'
import { firstOf } from './first-of.ts'
import { type Block, distanceTo, type PointGrid } from './point-grid.ts'

export interface Nearby {
  /** Returns true when an item matches the search. */
  fits: (item: number) => boolean
  /** True when every item that was not dropped matches; then `fits` is not called for each. */
  all: boolean
  /** Returns the squared chord from the origin to an item; the caller stores it. */
  squaredDistance: (item: number) => number
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
  { fits, all, squaredDistance }: Nearby,
): { items: number[]; total: number } {
  const center = toUnitVector(origin)
  const maxSquaredDistance = squaredDistanceFromMiles(miles)
  const radius = Math.sqrt(maxSquaredDistance)
  const blocks = blocksAround(grid, { origin, miles, center, radius })
  const items: number[] = []
  let total = 0
  /** Items farther than this are not among the nearest. */
  let limit = Number.POSITIVE_INFINITY
  for (const { block, distance } of blocks) {
    const [minDistance, maxDistance] = [distance - block.reach, distance + block.reach]
    const there = block.items
    if (minDistance > limit && maxDistance <= radius) {
      if (all) total += there.length - block.gone
      else for (let at = 0; at < there.length; at++) if (fits(there[at] as number)) total++
      continue
    }
    for (let at = 0; at < there.length; at++) {
      const item = there[at] as number
      if (!fits(item)) continue
      const away = squaredDistance(item)
      if (away > maxSquaredDistance) continue
      total++
      if (minDistance <= limit) items.push(item)
    }
    if (items.length >= count && minDistance <= limit) limit = distanceOfLast(items, count, squaredDistance)
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
  distance: number
}

/** Returns the blocks around the origin, near ones first and sorted; whole cells where no distances are needed. */
function blocksAround(grid: PointGrid, { origin, miles, center, radius }: Around): Placed[] {
  const near: Placed[] = []
  const far: Placed[] = []
  for (const cell of grid.near(origin, miles)) {
    const distance = distanceTo(cell, center)
    const isClose = distance < close * cell.reach
    const isEdge = distance + cell.reach > radius
    const list = isClose ? near : far
    if ((!isClose && !isEdge) || cell.items.length < worthParts) list.push({ block: cell, distance })
    else for (const part of cell.parts) list.push({ block: part, distance: distanceTo(part, center) })
  }
  near.sort((a, b) => a.distance - b.distance)
  return [...near, ...far]
}

function distanceOfLast(items: readonly number[], count: number, squaredDistance: (item: number) => number): number {
  const last = firstOf(items, count, (a, b) => squaredDistance(a) - squaredDistance(b)).at(-1)
  return last === undefined ? Number.POSITIVE_INFINITY : Math.sqrt(squaredDistance(last))
}
