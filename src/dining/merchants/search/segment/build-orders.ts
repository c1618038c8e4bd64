interface Sortable {
  ids: Float64Array
  ratings: Uint8Array
  ratingCounts: Uint32Array
  joinedOn: readonly string[]
  sortNames: readonly string[]
}

/** A static order of the slots. Slots of one group are equal but for the id. */
export interface Ordering {
  /** Slots, first to last. */
  slots: Uint32Array
  /** By slot, ascending in the same order. */
  groups: Uint32Array
}

/** Sorts the slots by rating, name and date. Searches walk these orders until a page is full. */
export function buildOrders({ ids, ratings, ratingCounts, joinedOn, sortNames }: Sortable) {
  const id = (a: number, b: number) => (ids[a] as number) - (ids[b] as number)
  const rank = sortBy(
    ids,
    (a, b) =>
      (ratings[b] as number) - (ratings[a] as number) || (ratingCounts[b] as number) - (ratingCounts[a] as number),
  )
  const name = sortBy(ids, (a, b) => compareText(sortNames[a] as string, sortNames[b] as string))
  const newest = sortBy(ids, (a, b) => compareText(joinedOn[b] as string, joinedOn[a] as string))
  return {
    byRank: rank.slots,
    rankGroups: rank.groups,
    byName: name.slots,
    nameGroups: name.groups,
    byNewest: newest.slots,
    newestGroups: newest.groups,
    ranks: inverse(rank.slots),
    byId: sortBy(ids, () => 0).slots,
  }

  function sortBy(all: Float64Array, compare: (a: number, b: number) => number): Ordering {
    const slots = Uint32Array.from({ length: all.length }, (_, slot) => slot)
    slots.sort((a, b) => compare(a, b) || id(a, b))
    const groups = new Uint32Array(all.length)
    let group = 0
    for (let at = 1; at < slots.length; at++) {
      if (compare(slots[at - 1] as number, slots[at] as number) !== 0) group++
      groups[slots[at] as number] = group
    }
    return { slots, groups }
  }
}

function inverse(order: Uint32Array): Uint32Array {
  const positions = new Uint32Array(order.length)
  for (let at = 0; at < order.length; at++) positions[order[at] as number] = at
  return positions
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
