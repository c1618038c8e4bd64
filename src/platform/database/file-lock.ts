import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'

const BUSY = 5

export interface FileLock {
  release(): void
}

/**
 * Locks a file, or returns null when another process holds the lock. It is SQLite's lock on an empty file: the
 * operating system releases it when the process ends, even after a crash.
 */
export function tryLockFile(file: string): FileLock | null {
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

/** Runs `work` while this process holds the lock of a file; waits as long as another one holds it. */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  let lock = tryLockFile(file)
  while (!lock) {
    await wait(50)
    lock = tryLockFile(file)
  }
  try {
    return await work()
  } finally {
    lock.release()
  }
}
