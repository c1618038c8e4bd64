import type { StorageKey } from './storage-keys.ts'

/** Returns a stored value, or null when it is missing or storage is unavailable. */
export function getItem(key: StorageKey): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Removes a value. */
export function removeItem(key: StorageKey): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Storage is unavailable: nothing to remove.
  }
}

/** Stores a value; does nothing when storage is unavailable. */
export function setItem(key: StorageKey, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Private windows and full disks.
  }
}
