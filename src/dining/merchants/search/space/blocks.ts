import { PriorityQueue } from '../priority-queue.ts'
import { type Bitmap, bitCount, lowestBit } from '../segment/bitmap.ts'
import type { Columns } from '../segment/columns.ts'

// Slots are numbered along a Hilbert curve, so that neighbors in number are neighbors in space. 64 slots are a block and
// 64 blocks an area, each within a sphere: whole blocks are inside a circle or outside it, and only those at its edge
// are checked one slot after the other.
const blockBits = 6
const areaBits = 12
const slotsPerArea = 1 << areaBits
const wordsPerArea = slotsPerArea >>> 5
/** Numbers per sphere: the center and the radius. */
const sphereSize = 4
/** Chords that differ by less than this (an inch) are compared exactly, slot by slot. */
const tolerance = 1e-8

/** A circle: the center on the unit sphere, and its maximum chord, squared as given to searches. */
export interface Circle {
  x: number
  y: number
  z: number
  maxSquared: number
}

/** The positions of slots, and their blocks. */
export class Blocks {
  readonly points: Float64Array
  readonly #blocks: Float64Array
  readonly #areas: Float64Array

  constructor({ points, blockSpheres, areaSpheres }: Columns) {
    this.points = points as Float64Array
    this.#blocks = blockSpheres as Float64Array
    this.#areas = areaSpheres as Float64Array
  }

  squaredDistance(slot: number, { x, y, z }: Circle): number {
    const points = this.points
    const dx = (points[3 * slot] as number) - x
    const dy = (points[3 * slot + 1] as number) - y
    const dz = (points[3 * slot + 2] as number) - z
    return dx * dx + dy * dy + dz * dz
  }

  /** Returns whether a point is in a circle or on its edge. */
  isWithin(slot: number, circle: Circle): boolean {
    return this.squaredDistance(slot, circle) <= circle.maxSquared
  }

  /**
   * Visits the members of a set within a circle: areas inside it as a whole, else ranges of bitmap words inside it, and
   * single slots at its edge.
   */
  visit(
    bits: Bitmap,
    circle: Circle,
    visitor: { area(area: number): void; word(at: number): void; slot(slot: number): void },
  ): void {
    const radius = Math.sqrt(circle.maxSquared)
    for (let area = 0; area < this.#areas.length / sphereSize; area++) {
      const place = this.#place(this.#areas, area, circle, radius)
      if (place > 0) visitor.area(area)
      if (place !== 0) continue
      const end = Math.min(bits.length, (area + 1) * wordsPerArea)
      for (let at = area * wordsPerArea; at < end; at += 2) {
        const [low, high] = [bits[at] as number, at + 1 < end ? (bits[at + 1] as number) : 0]
        if ((low | high) === 0) continue
        const inside = this.#place(this.#blocks, at >>> 1, circle, radius)
        if (inside > 0) {
          visitor.word(at)
          if (high !== 0) visitor.word(at + 1)
        } else if (inside === 0) {
          this.#visitEdge(at, low, circle, visitor.slot)
          this.#visitEdge(at + 1, high, circle, visitor.slot)
        }
      }
    }
  }

  #visitEdge(at: number, word: number, circle: Circle, visit: (slot: number) => void): void {
    for (let rest = word; rest !== 0; rest &= rest - 1) {
      const slot = (at << 5) + lowestBit(rest)
      if (this.isWithin(slot, circle)) visit(slot)
    }
  }

  /** Returns 1 for a sphere inside a circle, -1 for one outside, 0 for one at its edge. */
  #place(spheres: Float64Array, index: number, { x, y, z }: Circle, radius: number): -1 | 0 | 1 {
    const at = index * sphereSize
    const dx = (spheres[at] as number) - x
    const dy = (spheres[at + 1] as number) - y
    const dz = (spheres[at + 2] as number) - z
    const distance = Math.sqrt(dx * dx + dy * dy + dz * dz)
    const reach = (spheres[at + 3] as number) + tolerance
    return distance + reach <= radius ? 1 : distance - reach > radius ? -1 : 0
  }

  /** Returns the minimum chord from the center of a circle to a sphere. */
  #minDistance(spheres: Float64Array, index: number, { x, y, z }: Circle): number {
    const at = index * sphereSize
    const dx = (spheres[at] as number) - x
    const dy = (spheres[at + 1] as number) - y
    const dz = (spheres[at + 2] as number) - z
    return Math.sqrt(dx * dx + dy * dy + dz * dz) - (spheres[at + 3] as number) - tolerance
  }

  /**
   * Visits the members of a set in the order of their blocks from near to far, until none of the remaining can be within
   * the limit (a squared chord) that `visit` returns.
   */
  visitNearest(bits: Bitmap, circle: Circle, visit: (slot: number) => number): void {
    let limit = Math.sqrt(circle.maxSquared)
    const queue = new PriorityQueue()
    const areas = this.#areas.length / sphereSize
    for (let area = 0; area < areas; area++) {
      const distance = this.#minDistance(this.#areas, area, circle)
      // Areas have negative numbers.
      if (distance <= limit) queue.push(-1 - area, distance)
    }
    for (let next = queue.pop(); next && next.priority <= limit; next = queue.pop()) {
      if (next.item < 0) {
        const area = -1 - next.item
        const end = Math.min(bits.length, (area + 1) * wordsPerArea)
        for (let at = area * wordsPerArea; at < end; at += 2) {
          if (((bits[at] as number) | (at + 1 < end ? (bits[at + 1] as number) : 0)) === 0) continue
          const distance = this.#minDistance(this.#blocks, at >>> 1, circle)
          if (distance <= limit) queue.push(at >>> 1, distance)
        }
        continue
      }
      for (let at = 2 * next.item; at < Math.min(bits.length, 2 * next.item + 2); at++) {
        for (let rest = bits[at] as number; rest !== 0; rest &= rest - 1) {
          limit = Math.min(limit, Math.sqrt(visit((at << 5) + lowestBit(rest))) + tolerance)
        }
      }
    }
  }

  /** Counts the members of a set within a circle; `areaCounts` are those of each area. */
  count(bits: Bitmap, areaCounts: Uint32Array, circle: Circle): number {
    let count = 0
    this.visit(bits, circle, {
      area: (area) => {
        count += areaCounts[area] as number
      },
      word: (at) => {
        count += bitCount(bits[at] as number)
      },
      slot: () => {
        count++
      },
    })
    return count
  }
}

/** Computes the spheres around blocks and areas of slots. */
export function buildSpheres(points: Float64Array): Columns {
  return {
    blockSpheres: spheresOf(points, 1 << blockBits),
    areaSpheres: spheresOf(points, slotsPerArea),
  }
}

function spheresOf(points: Float64Array, size: number): Float64Array {
  const slots = points.length / 3
  const spheres = new Float64Array(sphereSize * Math.ceil(slots / size))
  for (let index = 0; index < spheres.length / sphereSize; index++) {
    const [from, until] = [3 * index * size, 3 * Math.min(slots, (index + 1) * size)]
    const center = [0, 1, 2].map((axis) => {
      let [min, max] = [2, -2]
      for (let at = from + axis; at < until; at += 3) {
        min = Math.min(min, points[at] as number)
        max = Math.max(max, points[at] as number)
      }
      return (min + max) / 2
    })
    let squared = 0
    for (let at = from; at < until; at += 3) {
      let sum = 0
      for (const axis of [0, 1, 2]) sum += ((points[at + axis] as number) - (center[axis] as number)) ** 2
      squared = Math.max(squared, sum)
    }
    spheres.set([...center, Math.sqrt(squared)], index * sphereSize)
  }
  return spheres
}
