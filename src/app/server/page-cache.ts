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
  const pages = new Map<string, CachedPage & { expiresAt: number; characters: number }>()
  let characters = 0
  function remove(key: string): void {
    characters -= pages.get(key)?.characters ?? 0
    pages.delete(key)
  }
  return {
    find(key: string): CachedPage | undefined {
      const page = pages.get(key)
      if (!page) return undefined
      if (page.expiresAt <= now()) {
        remove(key)
        return undefined
      }
      pages.delete(key)
      pages.set(key, page)
      return page
    },
    set(key: string, { html, status, nonce }: { html: string; status: number; nonce: string }): void {
      if (status !== 200 || key.length > maxKeyLength) return
      remove(key)
      pages.set(key, { status, pieces: html.split(nonce), expiresAt: now() + ttlMs, characters: html.length })
      characters += html.length
      for (const oldest of pages.keys()) {
        if (pages.size <= maxPages && characters <= maxCharacters) return
        remove(oldest)
      }
    },
    get size() {
      return pages.size
    },
  }
}

export type PageCache = ReturnType<typeof createPageCache>
