import { join } from 'node:path'
import { withFileLock } from '../platform/database/file-lock.ts'

/** Runs `work` while no other process can start or stop the server of this data folder. */
export const withStartLock = <T>(home: string, work: () => Promise<T>): Promise<T> =>
  withFileLock(join(home, 'start.lock'), work)
