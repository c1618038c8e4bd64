import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '../../src/embedded-postgres/postmaster.ts'

const neededBytes = 4_000_000_000
const root = '/dev/shm'

/**
 * Returns the path of this user's folder in memory, or null where the system has none or too little space. A copy of a
 * database is a thousand small files: it takes 0.03 s in memory, and up to 0.7 s on a disk.
 */
export function memoryFolder(): string | null {
  try {
    const { bavail, bsize } = statfsSync(root)
    if (bavail * bsize < neededBytes) return null
    return makeFolder(join(root, `dineback-test-${userInfo().username}`))
  } catch {
    return null
  }
}

/**
 * Makes the temporary files of this process and its children go to memory, if there is enough. Returns a function that
 * removes them. Removes what killed processes have left, too.
 */
export function moveTemporaryFilesToMemory(): () => void {
  const memory = memoryFolder()
  if (memory === null) return () => {}
  for (const name of readdirSync(memory)) {
    const pid = /^tmp-(\d+)$/.exec(name)?.[1]
    if (pid && !isAlive(Number(pid))) rmSync(join(memory, name), { recursive: true, force: true })
  }
  const folder = makeFolder(join(memory, `tmp-${process.pid}`))
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  return () => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    rmSync(folder, { recursive: true, force: true })
  }
}

// PostgreSQL does not run as root: its user needs to enter the folder.
function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true })
  chmodSync(path, 0o755)
  return path
}
