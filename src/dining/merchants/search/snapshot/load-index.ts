import type { Tx } from '../../../../platform/database/db.ts'
import { hideUnconnected } from '../../catalog/hide-unconnected.ts'
import type { MerchantRow } from '../../catalog/store.ts'
import {
  getCurrentVersion,
  getVersion,
  listChangedSince,
  listIds,
  listRangeCounts,
  listRangeStamps,
  listRows,
  listStamps,
  rangeOf,
} from '../../catalog/store.ts'
import type { ReservationProviders } from '../../names.ts'
import { type AbsentMerchant, toAbsent } from '../build-index.ts'
import { eachInTurns } from '../in-turns.ts'
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
  knownIds: Float64Array
  stamps: BigInt64Array
}

export async function readAllMerchants(tx: Tx, connected: ReservationProviders): Promise<AllMerchants> {
  const { version, count } = await getCurrentVersion(tx)
  const packer = new RowPacker()
  const absent: AbsentMerchant[] = []
  for await (const rows of listAllChangedSince(tx, -1, connected)) {
    await eachInTurns(rows, (row) => {
      if (row.participating) packer.add(row)
      else absent.push(toAbsent(row))
    })
  }
  const [knownIds, stamps] = [new Float64Array(count), new BigInt64Array(count)]
  let at = 0
  for await (const page of listStamps(tx, null)) {
    for (const { id, stamp } of page) {
      knownIds[at] = id
      stamps[at++] = BigInt(stamp)
    }
  }
  return { version, packed: packer.finish(), absent, knownIds, stamps }
}

/** Builds the index of merchants. It takes longer than a transaction may be idle. */
export async function buildSnapshot({ packed, absent, ...others }: AllMerchants): Promise<Snapshot> {
  return { ...others, columns: await buildInThread(packed, absent) }
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
  connected: ReservationProviders,
): Promise<Changes | null> {
  const stored = new Map<number, bigint>()
  const ranges = new Set(differing)
  knownIds.forEach((id, at) => {
    if (ranges.has(rangeOf(id))) stored.set(id, stamps[at] as bigint)
  })
  const changed: number[] = []
  for await (const page of listStamps(tx, differing)) {
    for (const { id, stamp } of page) {
      if (stored.get(id) !== BigInt(stamp)) changed.push(id)
      stored.delete(id)
    }
  }
  if (changed.length + stored.size > maxApplied) return null
  const rows: MerchantRow[] = []
  for (let from = 0; from < changed.length; from += rowsAtOnce)
    for (const row of await listRows(tx, changed.slice(from, from + rowsAtOnce)))
      rows.push(hideUnconnected(row, connected))
  // What is left is no longer in the database.
  return { rows, deletedIds: [...stored.keys()] }
}

/** Returns what has changed since an index was loaded; null when nothing has. */
export async function readChanges(
  tx: Tx,
  { index, version }: Loaded,
  connected: ReservationProviders,
): Promise<(Changes & { version: number }) | null> {
  const now = await getCurrentVersion(tx)
  if (now.version === version && now.count === index.knownCount) return null
  const rows: MerchantRow[] = []
  for await (const page of listAllChangedSince(tx, version, connected)) for (const row of page) rows.push(row)
  const arrivedIds = rows.map(({ id }) => id).filter((id) => !index.isKnown(id))
  // Rows that were deleted outright leave no version, only a lower count.
  const isComplete = index.knownCount + arrivedIds.length === now.count
  const deletedIds = isComplete ? [] : await findDeletedIds(tx, index, arrivedIds)
  return { rows, deletedIds, version: now.version }
}

/** Returns the ids of an index that no longer exist. Only ranges whose numbers differ are read id by id. */
async function findDeletedIds(tx: Tx, index: MerchantIndex, arrivedIds: readonly number[]): Promise<number[]> {
  const surplus = new Map<number, number>()
  const count = (range: number, by: number) => surplus.set(range, (surplus.get(range) ?? 0) + by)
  for (const id of arrivedIds) count(rangeOf(id), 1)
  await eachInTurns(index.knownIds(), (id) => count(rangeOf(id), 1))
  for (const { range, count: existing } of await listRangeCounts(tx)) count(range, -existing)
  const ranges = new Set([...surplus].filter(([, number]) => number !== 0).map(([range]) => range))
  const existing = new Set(await listIds(tx, [...ranges]))
  const deleted: number[] = []
  await eachInTurns(index.knownIds(), (id) => {
    if (ranges.has(rangeOf(id)) && !existing.has(id)) deleted.push(id)
  })
  return deleted
}

/** Yields merchants that changed after a version, below 0 all, in the order of their ids. */
async function* listAllChangedSince(
  tx: Tx,
  version: number,
  connected: ReservationProviders,
): AsyncGenerator<MerchantRow[]> {
  let afterId = 0
  for (;;) {
    const rows = await listChangedSince(tx, version, afterId, rowsAtOnce)
    yield rows.map((row) => hideUnconnected(row, connected))
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
