const stored = new Set<string>()

/** Stores a value for the next document of this tab. Without sessionStorage it is lost. */
export function storeForNext(key: string, value: string): void {
  stored.add(key)
  try {
    sessionStorage.setItem(key, value)
  } catch {
    // Private windows and full disks.
  }
}

/** Returns what the document before stored, once; null in the document that stored it, which may still render. */
export function takeStored(key: string): string | null {
  if (stored.has(key)) return null
  try {
    const value = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return value
  } catch {
    return null
  }
}
