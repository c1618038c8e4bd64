import type { Point } from '../../../../programs/places/contract.ts'

/** Bits per axis. */
const order = 16

/** Returns the position of a point on a Hilbert curve over the globe: 32 bits, with squares of about a third of a mile. */
export function hilbertPosition({ latitude, longitude }: Point): number {
  const side = 2 ** order
  let x = Math.min(side - 1, Math.floor(((longitude + 180) / 360) * side))
  let y = Math.min(side - 1, Math.floor(((latitude + 90) / 180) * side))
  let position = 0
  for (let size = side / 2; size >= 1; size /= 2) {
    const [right, up] = [(x & size) > 0 ? 1 : 0, (y & size) > 0 ? 1 : 0]
    position += size * size * ((3 * right) ^ up)
    if (up === 0) {
      if (right === 1) [x, y] = [side - 1 - x, side - 1 - y]
      ;[x, y] = [y, x]
    }
  }
  return position
}
