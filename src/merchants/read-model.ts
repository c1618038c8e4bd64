import type { Logger } from 'pino'
import type { Db } from '../kit/server/db.ts'
import type { Notices } from '../kit/server/notices.ts'
import { SECOND } from '../kit/time.ts'
import type { Point } from '../places/contract.ts'
import { MerchantIndex, type SearchFilter } from './merchant-index.ts'
import type { MerchantRow } from './store.ts'
import { changedSince, currentVersion } from './store.ts'

export interface Found {
  rows: { row: MerchantRow; miles: number | null }[]
  total: number
}

export interface MerchantReadModel {
  search(filter: SearchFilter, page: { pageNo: number; pageSize: number }): Found
  bySlug(publicId: string): MerchantRow | undefined
  suggest(text: string, limit: number): string[]
  /** The version of the data that is shown. */
  readonly version: number
  /** Calls back after each refresh that changed something. */
  onChange(listener: () => void): void
  close(): Promise<void>
}

const pageSize = 2_000
const pollEvery = 15 * SECOND

/**
 * All participating merchants in memory, built from the database now and kept fresh: a notice says that something
 * changed, a poll makes sure of it. A search never waits for the database.
 */
export async function createReadModel(options: {
  shared: Db
  notices: Notices
  log: Logger
}): Promise<MerchantReadModel> {
  const { shared, notices, log } = options
  const listeners: (() => void)[] = []
  let index = new MerchantIndex()
  let version = 0
  let closed = false
  let refreshing: Promise<void> | null = null
  let again = false

  async function readChanges(into: MerchantIndex, since: number): Promise<void> {
    let afterId = 0
    for (;;) {
      const rows = await changedSince(shared, since, afterId, pageSize)
      for (const row of rows) into.put(row)
      const last = rows.at(-1)
      if (!last || rows.length < pageSize) return
      afterId = last.id
    }
  }

  // The counter is read first: what commits later has a higher version and comes with the next round.
  async function refreshOnce(): Promise<void> {
    const current = await currentVersion(shared)
    if (current.version === version && current.count === index.known) return
    await readChanges(index, version)
    if (index.known !== current.count) {
      // Rows were deleted outright, which leaves no version behind.
      const fresh = new MerchantIndex()
      await readChanges(fresh, -1)
      index = fresh
    }
    version = current.version
    for (const listener of listeners) listener()
  }

  function refresh(): Promise<void> {
    again = true
    refreshing ??= (async () => {
      while (again && !closed) {
        again = false
        await refreshOnce()
      }
    })().finally(() => {
      refreshing = null
    })
    return refreshing
  }
  const refreshQuietly = () => void refresh().catch((error) => log.warn({ err: error }, 'merchants not refreshed'))

  await refresh()
  notices.on('merchants_changed', refreshQuietly)
  const poll = setInterval(refreshQuietly, pollEvery).unref()

  return {
    search: (filter, page) => index.search(filter, page),
    bySlug: (publicId) => index.bySlug(publicId),
    suggest: (text, limit) => index.suggest(text, limit),
    get version() {
      return version
    },
    onChange: (callback) => void listeners.push(callback),
    async close() {
      closed = true
      clearInterval(poll)
      await refreshing?.catch(() => {})
    },
  }
}

export type { Point, SearchFilter }
