import type { MerchantRow } from '../catalog/store.ts'
import type { Cities } from './cities.ts'
import { eachInTurns } from './in-turns.ts'
import type { Neighborhoods } from './neighborhoods.ts'
import { RowPacker } from './segment/packed-rows.ts'
import { type Limits, Segment } from './segment/segment.ts'
import { buildSegmentInThread } from './snapshot/build-in-thread.ts'
import type { Suggestions } from './suggestions.ts'

/** What a version of an index consists of. */
export interface IndexState {
  base: Segment
  recent: readonly Segment[]
  suggestions: Suggestions
  neighborhoods: Neighborhoods
  cities: Cities
  /** Ids of known merchants that do not participate. */
  absent: ReadonlySet<number>
  limits: Limits | undefined
}

/** A segment is merged into a new one that is at least this fraction of its size. */
const mergedFrom = 1 / 2

/**
 * Returns the state with these merchants added or replaced, and others removed. The state itself does not change:
 * searches use it until all is done.
 */
export async function changeIndex(
  state: IndexState,
  rows: readonly MerchantRow[],
  deletedIds: readonly number[],
): Promise<IndexState> {
  const latest = new Map(rows.map((row) => [row.id, row]))
  const segments = [state.base, ...state.recent]
  const removed = segments.map((): number[] => [])
  const absent = new Set(state.absent)
  const suggestions = state.suggestions.copy()
  const neighborhoods = state.neighborhoods.copy()
  const cities = state.cities.copy()
  const count = (row: MerchantRow, by: 1 | -1) => {
    suggestions.count([row.name, ...row.cuisines], by)
    neighborhoods.count(row, by)
    cities.count(row, by)
  }
  await eachInTurns(new Set([...latest.keys(), ...deletedIds]), (id) => {
    absent.delete(id)
    segments.forEach((segment, at) => {
      const slot = segment.slotOfId(id)
      if (slot < 0) return
      count(segment.rowAt(slot), -1)
      removed[at]?.push(slot)
    })
  })
  await eachInTurns(latest.values(), (row) => {
    if (row.participating) count(row, 1)
    else {
      absent.add(row.id)
      cities.left(row)
    }
  })
  const [base, ...left] = segments.map((segment, at) => segment.without(removed[at] as number[])) as [Segment]
  const participating = [...latest.values()].filter((row) => row.participating)
  const recent = await addSegment(left, participating, state.limits)
  return { ...state, base, recent, suggestions, neighborhoods, cities, absent }
}

/** Returns the segments with one of these merchants, into which others of its size are merged. */
async function addSegment(
  segments: readonly Segment[],
  rows: readonly MerchantRow[],
  limits: Limits | undefined,
): Promise<Segment[]> {
  if (rows.length === 0) return [...segments]
  let [kept, size] = [segments.length, rows.length]
  for (; kept > 0; kept--) {
    const { presentCount } = segments[kept - 1] as Segment
    if (presentCount * mergedFrom > size) break
    size += presentCount
  }
  const packer = new RowPacker()
  for (const segment of segments.slice(kept)) await eachInTurns(segment.rows(), (row) => packer.add(row))
  await eachInTurns(rows, (row) => packer.add(row))
  return [...segments.slice(0, kept), Segment.of(await buildSegmentInThread(packer.finish()), limits)]
}
