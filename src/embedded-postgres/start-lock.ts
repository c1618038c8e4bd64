import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { tryLockFile } from '../platform/database/file-lock.ts'

/** Runs `work` while no other process can start or stop the server of this data folder. */
export async function withStartLock<T>(home: string, work: () => Promise<T>): Promise<T> {
  const file = join(home, 'start.lock')
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
