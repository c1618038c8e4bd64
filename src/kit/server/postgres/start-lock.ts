import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'

const BUSY = 5

/**
 * Runs `work` while no other process starts or stops the server of this data folder. The lock is SQLite's
 * on an empty file: the system lets go of it when its holder dies, however it dies.
 */
export async function withStartLock<T>(home: string, work: () => Promise<T>): Promise<T> {
  const lock = new DatabaseSync(join(home, 'start.lock'), { timeout: 0 })
  try {
    while (!tryLock(lock)) await wait(50)
    return await work()
  } finally {
    lock.close()
  }
}

function tryLock(lock: DatabaseSync): boolean {
  try {
    lock.exec('begin exclusive')
    return true
  } catch (error) {
    if ((error as { errcode?: number }).errcode === BUSY) return false
    throw error
  }
}
