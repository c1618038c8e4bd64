import type { LocalKey } from './local-keys.ts'

/** What this browser keeps for us; null when there is nothing, or when it keeps nothing for anybody. */
export function recall(key: LocalKey): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Forgets a value. */
export function forget(key: LocalKey): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // There was nothing to forget.
  }
}

/** Keeps a value. A browser that keeps nothing only forgets. */
export function remember(key: LocalKey, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Private windows and full discs.
  }
}
