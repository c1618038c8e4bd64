import type { Tx } from '../../../../platform/database/db.ts'
import type { MerchantRow } from '../../catalog/store.ts'
import {
  getCurrentVersion,
  getVersion,
  listChangedSince,
  listIds,
  listRangeStamps,
  listRows,
  listStamps,
  rangeOf,
} from '../../catalog/store.ts'
import { type AbsentMerchant, toAbsent } from '../build-index.ts'
import type { MerchantIndex } from '../merchant-index.ts'
import { type PackedRows, RowPacker } from '../segment/packed-rows.ts'
import { buildInThread } from './build-in-thread.ts'
import type { Snapshot } from './snapshot-file.ts'

const rowsAtOnce = 1_000
/** More changes than these are not applied one by one. */
export const maxApplied = 20_000

/** An index, and the version of the merchants that are in it. */
export interface Loaded {
  index: MerchantIndex
  version: number
}

/** Merchants that are new or changed, and the ids of others that no longer exist. */
interface Changes {
  rows: MerchantRow[]
  deletedIds: number[]
}

/** All merchants at a version. */
interface AllMerchants {
  version: number
  packed: PackedRows
  absent: AbsentMerchant[]
  stamps: { id: number; stamp: string }[]
}

export async function readAllMerchants(tx: Tx): Promise<AllMerchants> {
  const { version } = await getCurrentVersion(tx)
  const packer = new RowPacker()
  const absent: AbsentMerchant[] = []
  for await (const rows of listAllChangedSince(tx, -1)) {
    for (const row of rows) {
      if (row.participating) packer.add(row)
      else absent.push(toAbsent(row))
    }
  }
  return { version, packed: packer.finish(), absent, stamps: await listStamps(tx, null) }
}

/** Builds the index of merchants. It takes longer than a transaction may be idle. */
export async function buildSnapshot({ version, packed, absent, stamps }: AllMerchants): Promise<Snapshot> {
  return {
    version,
    columns: await buildInThread(packed, absent),
    knownIds: Float64Array.from(stamps, ({ id }) => id),
    stamps: BigInt64Array.from(stamps, ({ stamp }) => BigInt(stamp)),
  }
}

/** What a snapshot is compared with: the version, and the combined stamps of ranges of ids. */
export interface DatabaseState {
  version: number
  ranges: { range: number; stamp: string }[]
}

export async function readDatabaseState(tx: Tx): Promise<DatabaseState> {
  return { version: await getVersion(tx), ranges: await listRangeStamps(tx) }
}

/** Returns the ranges of ids in which a snapshot differs from the database. */
export function listDifferingRanges(snapshot: Snapshot, { ranges }: DatabaseState): number[] {
  const known = toRangeStamps(snapshot)
  const current = new Map(ranges.map(({ range, stamp }) => [range, BigInt(stamp)]))
  return [...new Set([...known.keys(), ...current.keys()])].filter((range) => known.get(range) !== current.get(range))
}

/**
 * Returns what differs from a snapshot in these ranges: merchants that were changed, added or deleted since, and any
 * others when the snapshot is of another database or of a later state of a restored one. Returns null when too much
 * differs.
 */
export async function readDifferences(
  tx: Tx,
  { knownIds, stamps }: Snapshot,
  differing: readonly number[],
): Promise<Changes | null> {
  const current = await listStamps(tx, differing)
  const stored = new Map<number, bigint>()
  const ranges = new Set(differing)
  knownIds.forEach((id, at) => {
    if (ranges.has(rangeOf(id))) stored.set(id, stamps[at] as bigint)
  })
  const changed = current.filter(({ id, stamp }) => stored.get(id) !== BigInt(stamp)).map(({ id }) => id)
  for (const { id } of current) stored.delete(id)
  if (changed.length + stored.size > maxApplied) return null
  const rows: MerchantRow[] = []
  for (let from = 0; from < changed.length; from += rowsAtOnce)
    for (const row of await listRows(tx, changed.slice(from, from + rowsAtOnce))) rows.push(row)
  // What is left is no longer in the database.
  return { rows, deletedIds: [...stored.keys()] }
}

/** Returns what has changed since an index was loaded; null when nothing has. */
export async function readChanges(tx: Tx, { index, version }: Loaded): Promise<(Changes & { version: number }) | null> {
  const now = await getCurrentVersion(tx)
  if (now.version === version && now.count === index.knownCount) return null
  const rows: MerchantRow[] = []
  let arrived = 0
  for await (const page of listAllChangedSince(tx, version)) {
    for (const row of page) {
      rows.push(row)
      if (!index.isKnown(row.id)) arrived++
    }
  }
  // Rows that were deleted outright leave no version, only a lower count.
  if (index.knownCount + arrived === now.count) return { rows, deletedIds: [], version: now.version }
  const existing = new Set(await listIds(tx))
  return { rows, deletedIds: index.knownIds().filter((id) => !existing.has(id)), version: now.version }
}

/** Yields merchants that changed after a version, below 0 all, in the order of their ids. */
async function* listAllChangedSince(tx: Tx, version: number): AsyncGenerator<MerchantRow[]> {
  let afterId = 0
  for (;;) {
    const rows = await listChangedSince(tx, version, afterId, rowsAtOnce)
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < rowsAtOnce) return
    afterId = last.id
  }
}

/** Combines the stamps of each range as the database does. Without a bigint per merchant, this takes a few milliseconds. */
function toRangeStamps({ knownIds, stamps }: Pick<Snapshot, 'knownIds' | 'stamps'>): Map<number, bigint> {
  const halves = new Uint32Array(stamps.buffer, stamps.byteOffset, 2 * stamps.length)
  const combined = new BigInt64Array(1)
  const parts = new Uint32Array(combined.buffer)
  const found = new Map<number, bigint>()
  for (let at = 0; at < knownIds.length; at++) {
    parts[0] = (parts[0] as number) ^ (halves[2 * at] as number)
    parts[1] = (parts[1] as number) ^ (halves[2 * at + 1] as number)
    const range = rangeOf(knownIds[at] as number)
    if (at + 1 < knownIds.length && rangeOf(knownIds[at + 1] as number) === range) continue
    found.set(range, combined[0] as bigint)
    combined[0] = 0n
  }
  return found
}
