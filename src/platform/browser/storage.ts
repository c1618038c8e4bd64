import type { LocalKey } from './local-keys.ts'

/** Returns a stored value, or null when it is missing or storage is unavailable. */
export function recall(key: LocalKey): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Removes a value. */
export function forget(key: LocalKey): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Storage is unavailable: nothing to remove.
  }
}

/** Stores a value; does nothing when storage is unavailable. */
export function remember(key: LocalKey, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Private windows and full disks.
  }
}
