import type { Logger } from 'pino'
import type { Db, Tx } from '../../../platform/database/db.ts'
import { createFollower } from '../../../platform/database/follower.ts'
import type { DatabaseListener } from '../../../platform/database/listen.ts'
import type { Point } from '../../../programs/places/contract.ts'
import type { MerchantRow } from '../catalog/store.ts'
import { getCurrentVersion, listChangedSince } from '../catalog/store.ts'
import type { Cities } from './cities.ts'
import type { FacetCounts } from './facets.ts'
import { MerchantIndex, type SearchFilter, type SearchHits } from './merchant-index.ts'

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

const rowsAtOnce = 1_000

/**
 * Loads all participating merchants from the database into memory and refreshes them on notifications and by
 * polling. Searches never wait for the database. Throws when the first build fails; later failures are logged and
 * retried with the next notification or poll.
 */
export async function createReadModel(options: {
  shared: Db
  dbListener: DatabaseListener
  log: Logger
  /** Milliseconds. */
  pollIntervalMs?: number
}): Promise<MerchantReadModel> {
  const { shared, dbListener, log, pollIntervalMs } = options
  const listeners: (() => void)[] = []
  let index = new MerchantIndex()
  let version = 0

  /** Updates the index from the database. Returns false when it was up to date. */
  async function catchUp(tx: Tx): Promise<boolean> {
    const current = await getCurrentVersion(tx)
    if (current.version === version && current.count === index.knownCount) return false
    if (version === 0) index = await readInto(tx, new MerchantIndex(), -1)
    else await readInto(tx, index, version)
    // Rows that were deleted outright leave no version, only a lower count.
    if (index.knownCount !== current.count) index = await readInto(tx, new MerchantIndex(), -1)
    if (index.needsRebuild) index = await index.rebuilt()
    version = current.version
    return true
  }

  async function refreshOnce(): Promise<void> {
    // One snapshot for the counter and all pages, so that no import is read in half and no row is counted but not read.
    const transaction = shared.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
    const changed = await transaction.execute(catchUp)
    if (changed) for (const listener of listeners) listener()
  }

  const follower = createFollower({
    listener: dbListener,
    channel: 'merchants_changed',
    load: refreshOnce,
    ...(pollIntervalMs !== undefined && { pollEveryMs: pollIntervalMs }),
    onError: (error) => log.warn({ err: error }, 'merchants not refreshed'),
  })
  await follower.start()

  return {
    search: (filter, page) => index.search(filter, page),
    count: (filter) => index.count(filter),
    bySlug: (publicId) => index.bySlug(publicId),
    list: (from, count) => index.list(from, count),
    get size() {
      return index.size
    },
    get cities() {
      return index.cities
    },
    suggest: (text, limit) => index.suggest(text, limit),
    findNeighborhood: (text) => index.neighborhoods.find(text),
    suggestNeighborhoods: (text, limit) => index.neighborhoods.suggest(text, limit),
    get version() {
      return version
    },
    onChange: (callback) => void listeners.push(callback),
    close: follower.close,
  }
}

async function readInto(tx: Tx, index: MerchantIndex, since: number): Promise<MerchantIndex> {
  let afterId = 0
  for (;;) {
    const rows = await listChangedSince(tx, since, afterId, rowsAtOnce)
    for (const row of rows) index.put(row)
    const last = rows.at(-1)
    if (!last || rows.length < rowsAtOnce) return index
    afterId = last.id
  }
}

export type { SearchFilter, SearchHits }
