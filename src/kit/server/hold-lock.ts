import { DatabaseSync } from 'node:sqlite'

const BUSY = 5

export interface HeldLock {
  release(): void
}

/**
 * Takes the lock of a file, or returns null when another process holds it. The lock is SQLite's on an empty file: the
 * system releases it when its holder ends, however it ends.
 */
export function tryHold(file: string): HeldLock | null {
  const lock = new DatabaseSync(file, { timeout: 0 })
  try {
    lock.exec('begin exclusive')
    return { release: () => lock.close() }
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode === BUSY) return null
    throw error
  }
}
