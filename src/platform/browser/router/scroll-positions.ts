const storageKey = 'RN_SCROLL'

/**
 * Remembers how far each history entry was scrolled. The browser would restore this itself before the page of the entry
 * is rendered.
 */
export function createScrollPositions() {
  const positions = read()
  return {
    save(key: string): void {
      positions[key] = window.scrollY
    },
    /** Keeps the positions for a reload, and for a return from another site. */
    store(key: string): void {
      positions[key] = window.scrollY
      try {
        sessionStorage.setItem(storageKey, JSON.stringify(positions))
      } catch {
        // Storage is unavailable: the next page starts at its top.
      }
    },
    /**
     * `keeps`: only an entry that was left before scrolls. Of the first page of a document the browser has shown the top
     * or the fragment; it may have been scrolled since.
     */
    restore({ key, hash }: { key: string; hash: string }, keeps: boolean, isFirst: boolean): void {
      const top = positions[key]
      if (isFirst && (top === undefined || window.scrollY > 0)) return
      const target = hash === '' ? null : document.getElementById(fragmentOf(hash))
      if (top !== undefined) window.scrollTo(0, top)
      else if (target) target.scrollIntoView()
      else if (!keeps) window.scrollTo(0, 0)
    },
  }
}

function fragmentOf(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return hash.slice(1)
  }
}

function read(): Record<string, number> {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')
  } catch {
    return {}
  }
}
