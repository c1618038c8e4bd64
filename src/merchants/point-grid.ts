import type { Point } from '../places/contract.ts'

// A tenth of a degree is some seven miles: a search of 25 miles looks into about eighty cells.
const perDegree = 10
const around = 360 * perDegree
const earthMiles = 3958.8

/** Numbers that stand for points, in cells of a tenth of a degree. Only ever added to. */
export class PointGrid {
  readonly #cells = new Map<number, number[]>()

  add(item: number, { latitude, longitude }: Point): void {
    const key = keyOf(Math.floor(latitude * perDegree), Math.floor(longitude * perDegree))
    const cell = this.#cells.get(key)
    if (cell) cell.push(item)
    else this.#cells.set(key, [item])
  }

  /** The cells that a circle touches: everything within `miles` of the origin, and what shares a cell with it. */
  near({ latitude, longitude }: Point, miles: number): number[][] {
    const angle = miles / earthMiles
    const reach = (angle * 180) / Math.PI
    const [south, north] = [latitude - reach, latitude + reach].map((degrees) => Math.floor(degrees * perDegree))
    const side = widthOf(latitude, angle)
    const west = Math.floor((longitude - side) * perDegree)
    const columns = Math.min(around, Math.floor((longitude + side) * perDegree) - west + 1)
    const found: number[][] = []
    for (let row = south as number; row <= (north as number); row++) {
      for (let column = west; column < west + columns; column++) {
        const cell = this.#cells.get(keyOf(row, column))
        if (cell) found.push(cell)
      }
    }
    return found
  }
}

// Degrees of longitude on either side; a circle that holds a pole holds all of them.
function widthOf(latitude: number, angle: number): number {
  const ratio = Math.sin(angle) / Math.cos((latitude * Math.PI) / 180)
  return ratio < 1 && angle < Math.PI / 2 ? (Math.asin(ratio) * 180) / Math.PI : 180
}

// The column wraps, since 180° east is 180° west.
function keyOf(row: number, column: number): number {
  return row * around + (((column % around) + around) % around)
}
