import type { Tx } from '../../../../platform/database/db.ts'
import type { MerchantRow } from '../../catalog/store.ts'
import {
  getCurrentVersion,
  listChangedSince,
  listRangeStamps,
  listRows,
  listStamps,
  rangeOf,
} from '../../catalog/store.ts'
import { type AbsentMerchant, toAbsent } from '../build-index.ts'
import { MerchantIndex } from '../merchant-index.ts'
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

/**
 * Returns the index of a snapshot with what differs in the database: merchants that were changed, added or deleted
 * since, and any others when the snapshot is of another database or of a later state of a restored one. Returns null when
 * too much differs.
 */
export async function restoreIndex(tx: Tx, { columns, knownIds, stamps }: Snapshot): Promise<Loaded | null> {
  const { version } = await getCurrentVersion(tx)
  const differing = await listDifferingRanges(tx, knownIds, stamps)
  const current = differing.length > 0 ? await listStamps(tx, differing) : []
  const stored = new Map<number, bigint>()
  const ranges = new Set(differing)
  knownIds.forEach((id, at) => {
    if (ranges.has(rangeOf(id))) stored.set(id, stamps[at] as bigint)
  })
  const changed = current.filter(({ id, stamp }) => stored.get(id) !== BigInt(stamp)).map(({ id }) => id)
  for (const { id } of current) stored.delete(id)
  if (changed.length + stored.size > maxApplied) return null
  const index = new MerchantIndex(columns)
  // What is left is no longer in the database.
  index.remove([...stored.keys()])
  for (let from = 0; from < changed.length; from += rowsAtOnce)
    index.put(await listRows(tx, changed.slice(from, from + rowsAtOnce)))
  return { index, version }
}

/** Yields merchants that changed after a version, below 0 all, in the order of their ids. */
export async function* listAllChangedSince(tx: Tx, version: number): AsyncGenerator<MerchantRow[]> {
  let afterId = 0
  for (;;) {
    const rows = await listChangedSince(tx, version, afterId, rowsAtOnce)
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < rowsAtOnce) return
    afterId = last.id
  }
}

async function listDifferingRanges(tx: Tx, knownIds: Float64Array, stamps: BigInt64Array): Promise<number[]> {
  const known = new Map<number, bigint>()
  knownIds.forEach((id, at) => {
    known.set(rangeOf(id), (known.get(rangeOf(id)) ?? 0n) ^ (stamps[at] as bigint))
  })
  const current = new Map((await listRangeStamps(tx)).map(({ range, stamp }) => [range, BigInt(stamp)]))
  return [...new Set([...known.keys(), ...current.keys()])].filter((range) => known.get(range) !== current.get(range))
}
