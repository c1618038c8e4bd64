import { MINUTE } from '../../kit/time.ts'

/** What was rendered once and may be sent to anybody who asks the same. */
export interface CachedPage {
  status: number
  /** The pieces between which every answer puts a nonce of its own. */
  pieces: readonly string[]
}

/** Pages say what is open now and what a meal earns today: after this time they are made anew. */
const staysFresh = MINUTE
const mostPages = 1_000
const maxCharacters = 48 * 1024 * 1024
const longestKey = 400

/** A bounded store of rendered pages; the page that was not asked for the longest makes room. */
export function createPageCache(now: () => number = Date.now) {
  const pages = new Map<string, CachedPage & { until: number; characters: number }>()
  let characters = 0
  function remove(key: string): void {
    characters -= pages.get(key)?.characters ?? 0
    pages.delete(key)
  }
  return {
    find(key: string): CachedPage | undefined {
      const page = pages.get(key)
      if (!page) return undefined
      if (page.until <= now()) {
        remove(key)
        return undefined
      }
      pages.delete(key)
      pages.set(key, page)
      return page
    },
    keep(key: string, { html, status, nonce }: { html: string; status: number; nonce: string }): void {
      if (status !== 200 || key.length > longestKey) return
      remove(key)
      pages.set(key, { status, pieces: html.split(nonce), until: now() + staysFresh, characters: html.length })
      characters += html.length
      for (const oldest of pages.keys()) {
        if (pages.size <= mostPages && characters <= maxCharacters) return
        remove(oldest)
      }
    },
    get size() {
      return pages.size
    },
  }
}

export type PageCache = ReturnType<typeof createPageCache>
