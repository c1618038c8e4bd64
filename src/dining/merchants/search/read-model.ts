import { existsSync } from 'node:fs'
import type { Logger } from 'pino'
import type { Db, Tx } from '../../../platform/database/db.ts'
import { createFollower } from '../../../platform/database/follower.ts'
import type { DatabaseListener } from '../../../platform/database/listen.ts'
import type { Point } from '../../../programs/places/contract.ts'
import type { MerchantRow } from '../catalog/store.ts'
import { countChangedSince } from '../catalog/store.ts'
import type { ReservationProviders } from '../names.ts'
import type { Cities } from './cities.ts'
import type { FacetCounts } from './facets.ts'
import { MerchantIndex, type SearchHits } from './merchant-index.ts'
import type { SearchFilter } from './query.ts'
import {
  buildSnapshot,
  type Loaded,
  listDifferingRanges,
  maxApplied,
  readAllMerchants,
  readChanges,
  readDatabaseState,
  readDifferences,
} from './snapshot/load-index.ts'
import { readSnapshot, type Snapshot, writeSnapshot } from './snapshot/snapshot-file.ts'

export interface MerchantReadModel {
  search(filter: SearchFilter, page: { pageNo: number; pageSize: number }): SearchHits
  count(filter: SearchFilter): FacetCounts
  bySlug(publicId: string): MerchantRow | undefined
  /** Returns up to `count` merchants after the first `from`, in a stable order. */
  list(from: number, count: number): MerchantRow[]
  /** Number of participating merchants. */
  readonly size: number
  readonly cities: Cities
  suggest(text: string, limit: number): string[]
  /** Finds a neighborhood by name, as a place to search around. */
  findNeighborhood(text: string): (Point & { label: string }) | undefined
  suggestNeighborhoods(text: string, limit: number): string[]
  /** The version of the loaded data. */
  readonly version: number
  /** Calls the listener after each refresh that changed something. */
  onChange(listener: () => void): void
  close(): Promise<void>
}

/**
 * Loads all participating merchants into memory, from a snapshot file with what has changed since, or from the
 * database; refreshes them on notifications and by polling. Searches never wait for the database. Throws when the first
 * load fails; later failures are logged and retried with the next notification or poll.
 */
export async function createReadModel(options: {
  shared: Db
  dbListener: DatabaseListener
  log: Logger
  /** The reservation providers of this installation; restaurants of others are loaded without reservations. */
  reservationProviders: ReservationProviders
  /** File that makes the next start quick; none by default. */
  snapshotPath?: string
  /** Milliseconds. */
  pollIntervalMs?: number
}): Promise<MerchantReadModel> {
  const { shared, dbListener, log, reservationProviders, snapshotPath, pollIntervalMs } = options
  const listeners: (() => void)[] = []
  let current: Loaded | null = null
  /** A new index that replaces the current one at the next refresh. */
  let rebuilt: Loaded | null = null
  /** Building and writing that is under way. */
  let inBackground: Promise<void> | null = null
  let isClosed = false

  async function build(): Promise<Snapshot> {
    return buildSnapshot(await inSnapshot((tx) => readAllMerchants(tx, reservationProviders)))
  }

  async function buildAndStore(): Promise<Loaded> {
    const snapshot = await build()
    if (snapshotPath)
      runInBackground('restaurant snapshot not written', () =>
        writeSnapshot(snapshotPath, snapshot, reservationProviders),
      )
    return loadedFrom(snapshot)
  }

  /**
   * Returns the index of the snapshot file, with what differs in the database; null when there is none that can be used.
   * The database is queried while the file is read. `isCurrent` is true when nothing has changed since that query.
   */
  async function restore(): Promise<(Loaded & { isCurrent: boolean }) | null> {
    if (!snapshotPath || !existsSync(snapshotPath)) return null
    const [snapshot, state] = await Promise.all([
      readSnapshot(snapshotPath, reservationProviders),
      inSnapshot(readDatabaseState),
    ])
    if (!snapshot) return null
    const { version } = state
    const differing = listDifferingRanges(snapshot, state)
    if (differing.length === 0) return { index: MerchantIndex.from(snapshot.columns), version, isCurrent: true }
    const changes = await inSnapshot((tx) => readDifferences(tx, snapshot, differing, reservationProviders))
    if (!changes) return null
    const index = await MerchantIndex.from(snapshot.columns).withChanges(changes.rows, changes.deletedIds)
    return { index, version, isCurrent: false }
  }

  /** Replaces the current index by one that is up to date. Returns false when it is. */
  async function catchUp(): Promise<boolean> {
    const known = (rebuilt ?? current) as Loaded
    const changes = await inSnapshot((tx) => readChanges(tx, known, reservationProviders))
    if (!changes && known === current) return false
    // The rows are indexed outside of the transaction, whose time is limited.
    current = changes
      ? { index: await known.index.withChanges(changes.rows, changes.deletedIds), version: changes.version }
      : known
    // Another may have been built meanwhile.
    if (rebuilt === known) rebuilt = null
    return true
  }

  async function refreshOnce(): Promise<void> {
    if (!current && !rebuilt) {
      const restored = await restore()
      if (restored?.isCurrent) {
        current = restored
        return
      }
      rebuilt = restored ?? (await buildAndStore())
    } else if (current && !rebuilt && (await countChangedSince(shared, current.version)) > maxApplied)
      rebuilt = await buildAndStore()
    if (await catchUp()) for (const listener of listeners) listener()
    if (current?.index.needsRebuild && !rebuilt) runInBackground('restaurants not indexed anew', rebuild)
  }

  async function rebuild(): Promise<void> {
    const snapshot = await build()
    if (snapshotPath) await writeSnapshot(snapshotPath, snapshot, reservationProviders)
    rebuilt = loadedFrom(snapshot)
    if (!isClosed) follower.refreshQuietly('')
  }

  /** One snapshot for the counter and all pages, so that no import is read in half and no row is counted but not read. */
  function inSnapshot<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return shared.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
  }

  function runInBackground(message: string, work: () => Promise<void>): void {
    inBackground ??= work()
      .catch((error) => log.warn({ err: error }, message))
      .finally(() => {
        inBackground = null
      })
  }

  const follower = createFollower({
    listener: dbListener,
    channel: 'merchants_changed',
    load: refreshOnce,
    ...(pollIntervalMs !== undefined && { pollEveryMs: pollIntervalMs }),
    onError: (error) => log.warn({ err: error }, 'merchants not refreshed'),
  })
  await follower.start()
  const loaded = () => current as unknown as Loaded

  return {
    search: (filter, page) => loaded().index.search(filter, page),
    count: (filter) => loaded().index.count(filter),
    bySlug: (publicId) => loaded().index.bySlug(publicId),
    list: (from, count) => loaded().index.list(from, count),
    get size() {
      return loaded().index.size
    },
    get cities() {
      return loaded().index.cities
    },
    suggest: (text, limit) => loaded().index.suggest(text, limit),
    findNeighborhood: (text) => loaded().index.neighborhoods.find(text),
    suggestNeighborhoods: (text, limit) => loaded().index.neighborhoods.suggest(text, limit),
    get version() {
      return loaded().version
    },
    onChange: (callback) => void listeners.push(callback),
    async close() {
      isClosed = true
      await follower.close()
      await inBackground
    },
  }
}

function loadedFrom({ columns, version }: Snapshot): Loaded {
  return { index: MerchantIndex.from(columns), version }
}

export type { SearchFilter, SearchHits }
