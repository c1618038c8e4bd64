/** A point in pixels of the world at a zoom level. */
interface Pixel {
  x: number
  y: number
}

export interface PinGroup extends Pixel {
  /** Positions of the points in the given list, in its order. */
  members: readonly number[]
}

/**
 * Returns groups of points. The middles of two groups are at least `width` apart sideways or `height` up and down, so that
 * icons of that size never overlap. Whole lists are grouped, not what is in view: a group stays the same when the map moves.
 */
export function groupPins(points: readonly Pixel[], { width, height }: { width: number; height: number }): PinGroup[] {
  let groups: PinGroup[] = points.map(({ x, y }, index) => ({ x, y, members: [index] }))
  for (let before = Number.POSITIVE_INFINITY; groups.length < before; ) {
    before = groups.length
    // Only groups in the same cell or in one beside it can touch.
    const cells = new Map<string, Set<PinGroup>>()
    const column = ({ x }: Pixel) => Math.floor(x / width)
    const row = ({ y }: Pixel) => Math.floor(y / height)
    const around = [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((down) => [right, down] as const))
    const cellOf = (group: PinGroup) => cells.get(`${column(group)} ${row(group)}`)
    for (const group of groups) {
      const near = around.flatMap(([right, down]) => [
        ...(cells.get(`${column(group) + right} ${row(group) + down}`) ?? []),
      ])
      const touched = nearestOf(
        group,
        near.filter(({ x, y }) => Math.abs(x - group.x) < width && Math.abs(y - group.y) < height),
      )
      if (touched) cellOf(touched)?.delete(touched)
      // A merged group has another middle, which may touch others: they are compared again in the next pass.
      const next = touched ? merged(touched, group) : group
      const cell = cellOf(next)
      if (cell) cell.add(next)
      else cells.set(`${column(next)} ${row(next)}`, new Set([next]))
    }
    groups = [...cells.values()].flatMap((cell) => [...cell])
  }
  return groups
}

function nearestOf(to: Pixel, groups: readonly PinGroup[]): PinGroup | undefined {
  const distance = ({ x, y }: Pixel) => (x - to.x) ** 2 + (y - to.y) ** 2
  return groups.reduce<PinGroup | undefined>(
    (best, group) => (best === undefined || distance(group) < distance(best) ? group : best),
    undefined,
  )
}

function merged(a: PinGroup, b: PinGroup): PinGroup {
  const [share, members] = [b.members.length / (a.members.length + b.members.length), [...a.members, ...b.members]]
  return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share, members: members.sort((one, two) => one - two) }
}
