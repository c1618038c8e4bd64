import type { Point } from '../../../programs/places/contract.ts'
import { toUnitVector } from '../rules.ts'

// A tenth of a degree is about seven miles: a search of 25 miles covers about eighty cells.
const perDegree = 10
const around = 360 * perDegree
const earthMiles = 3958.8
/** Number of parts along each side of a cell, used near the center and the edge of a circle. */
const partsAside = 5

/** Items (numbers) within an area, and a bound of their positions. */
export interface Block {
  readonly items: number[]
  /** Number of dropped items; they stay in the list. */
  gone: number
  /** The center on the unit sphere, and the maximum chord to a corner. */
  readonly x: number
  readonly y: number
  readonly z: number
  readonly reach: number
}

export interface Cell extends Block {
  /** The non-empty parts, as a list and by their position in the cell. */
  readonly parts: Block[]
  readonly places: Map<number, Block>
}

/** Items in a grid with cells of a tenth of a degree. Append-only. */
export class PointGrid {
  readonly #cells = new Map<number, Cell>()

  add(item: number, point: Point): void {
    for (const block of this.#blocksOf(point)) block.items.push(item)
  }

  /** Marks one item at a point as dropped. */
  drop(point: Point): void {
    for (const block of this.#blocksOf(point)) block.gone++
  }

  /** Returns the cell of a point and its part. */
  #blocksOf({ latitude, longitude }: Point): [Cell, Block] {
    const [row, column] = [Math.floor(latitude * perDegree), Math.floor(longitude * perDegree)]
    const key = keyOf(row, column)
    const cell: Cell = this.#cells.get(key) ?? { ...blockOf(row, column, perDegree), parts: [], places: new Map() }
    this.#cells.set(key, cell)
    const fineRow = Math.floor(latitude * perDegree * partsAside)
    const fineColumn = Math.floor(longitude * perDegree * partsAside)
    const place = (fineRow - row * partsAside) * partsAside + (fineColumn - column * partsAside)
    let part = cell.places.get(place)
    if (!part) {
      part = blockOf(fineRow, fineColumn, perDegree * partsAside)
      cell.places.set(place, part)
      cell.parts.push(part)
    }
    return [cell, part]
  }

  /** Returns the cells that a circle touches: they contain everything within `miles` of the origin, and more. */
  near(origin: Point, miles: number): Cell[] {
    const { latitude, longitude } = origin
    const angle = miles / earthMiles
    const reach = (angle * 180) / Math.PI
    const [south, north] = [latitude - reach, latitude + reach].map((degrees) => Math.floor(degrees * perDegree))
    const side = widthOf(latitude, angle)
    const west = Math.floor((longitude - side) * perDegree)
    const columns = Math.min(around, Math.floor((longitude + side) * perDegree) - west + 1)
    const found: Cell[] = []
    for (let row = south as number; row <= (north as number); row++) {
      for (let column = west; column < west + columns; column++) {
        const cell = this.#cells.get(keyOf(row, column))
        if (cell) found.push(cell)
      }
    }
    return found
  }
}

/** Returns the chord through the unit sphere from a point to the center of a block. */
export function distanceTo({ x, y, z }: Block, [ox, oy, oz]: readonly [number, number, number]): number {
  return Math.sqrt((x - ox) ** 2 + (y - oy) ** 2 + (z - oz) ** 2)
}

function blockOf(row: number, column: number, perDegree: number): Block {
  const [x, y, z] = toUnitVector({ latitude: (row + 0.5) / perDegree, longitude: (column + 0.5) / perDegree })
  // Half the diagonal at the equator, where cells are widest.
  const reach = ((Math.SQRT1_2 / perDegree) * Math.PI) / 180
  return { items: [], gone: 0, x, y, z, reach }
}

// Degrees of longitude on either side; a circle that includes a pole covers all of them.
function widthOf(latitude: number, angle: number): number {
  const ratio = Math.sin(angle) / Math.cos((latitude * Math.PI) / 180)
  return ratio < 1 && angle < Math.PI / 2 ? (Math.asin(ratio) * 180) / Math.PI : 180
}

// The column wraps, since 180° east is 180° west.
function keyOf(row: number, column: number): number {
  return row * around + (((column % around) + around) % around)
}
