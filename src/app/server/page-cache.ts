import { LRUCache } from 'lru-cache'
import { MINUTE } from '../../platform/time.ts'

/** A rendered page that may be sent to any visitor. */
export interface CachedPage {
  status: number
  /** HTML split at the nonce, so that every response inserts its own. */
  pieces: readonly string[]
}

/** Lifetime of a page: it shows current opening hours and the earn rates of the day. */
const ttlMs = MINUTE
const maxPages = 1_000
const maxCharacters = 48 * 1024 * 1024
const maxKeyLength = 400

/** Creates a bounded cache of rendered pages with least-recently-used eviction. */
export function createPageCache(now: () => number = Date.now) {
  const pages = new LRUCache<string, CachedPage & { characters: number }>({
    max: maxPages,
    maxSize: maxCharacters,
    sizeCalculation: ({ characters }) => Math.max(1, characters),
    // The library keeps a value for a millisecond longer than its `ttl`.
    ttl: ttlMs - 1,
    ttlResolution: 0,
    perf: { now },
  })
  return {
    find: (key: string): CachedPage | undefined => pages.get(key),
    set(key: string, { html, status, nonce }: { html: string; status: number; nonce: string }): void {
      if (status !== 200 || key.length > maxKeyLength) return
      pages.set(key, { status, pieces: html.split(nonce), characters: html.length })
    },
    get size() {
      return pages.size
    },
  }
}

export type PageCache = ReturnType<typeof createPageCache>
