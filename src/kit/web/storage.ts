/** What this browser keeps for us; null when there is nothing, or when it keeps nothing for anybody. */
export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Keeps a value. A browser that keeps nothing only forgets. */
export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Private windows and full discs.
  }
}
