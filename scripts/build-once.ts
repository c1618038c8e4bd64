import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withFileLock } from '../src/platform/database/file-lock.ts'

const stampOf = (folder: string) => join(folder, '.built-from')

/** Returns whether a folder has the build of these sources. */
export const isBuiltFrom = (folder: string, hash: string) =>
  existsSync(stampOf(folder)) && readFileSync(stampOf(folder), 'utf8') === hash

/**
 * Builds into a folder unless it has the build of these sources. One process builds at a time: a second one would empty the
 * folder of the first; it waits and finds the build. Returns whether it has built.
 */
export async function buildOnce(folder: string, hash: string, build: () => Promise<void>): Promise<boolean> {
  if (isBuiltFrom(folder, hash)) return false
  mkdirSync(folder, { recursive: true })
  return withFileLock(join(folder, '.building'), async () => {
    if (isBuiltFrom(folder, hash)) return false
    await build()
    writeFileSync(stampOf(folder), hash)
    return true
  })
}
