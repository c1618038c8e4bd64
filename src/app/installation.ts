import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataDirOf } from '../platform/config/data-dir.ts'
import { type FileLock, tryLockFile } from '../platform/database/file-lock.ts'
import { checkDataFolder } from './data-folder.ts'

/** A running installation of a data folder. */
export interface RunningInstallation {
  pid: number
  /** The URL to open; null while it is starting. */
  address: string | null
}

/** Exit code when the installation is already running. */
export const ALREADY_RUNNING = 3

let installationLock: FileLock | null = null

/**
 * Claims a data folder with its embedded PostgreSQL for this process; the operating system releases the claim when the
 * process ends, even after a crash. Returns null when this process holds the claim, else the running installation.
 * Processes with an external PostgreSQL need no claim: several may share one database. Throws DataFolderError when the
 * folder cannot be used.
 */
export function claimInstallation(env: Record<string, string | undefined>): RunningInstallation | null {
  if (installationLock) return null
  const dataDir = dataDirOf(env)
  checkDataFolder(dataDir, { embedded: !env.DATABASE_URL })
  if (env.DATABASE_URL) return null
  installationLock = tryLockFile(join(dataDir, 'app.lock'))
  if (installationLock) {
    writeInstallation(dataDir, null)
    return null
  }
  return readInstallation(dataDir) ?? { pid: 0, address: null }
}

/** Returns the message of a second start. */
export function alreadyRunningMessage({ pid, address }: RunningInstallation): string {
  const where = address ? `: ${address}` : ' and is starting.'
  const process = pid > 0 ? ` (process ${pid})` : ''
  return `\n  Dineback is already running in this folder${process}${where}\n  A second installation needs a DATA_DIR and a PORT of its own.\n`
}

/** Records the process and the URL that serve a data folder. */
export function writeInstallation(dataDir: string, address: string | null): void {
  writeFileSync(fileIn(dataDir), `${process.pid}\n${address ?? ''}\n`)
}

/** Returns what the last start recorded; the process may have ended since. */
export function readInstallation(dataDir: string): RunningInstallation | null {
  try {
    const [pid = '', address = ''] = readFileSync(fileIn(dataDir), 'utf8').split('\n')
    return { pid: Number(pid), address: address || null }
  } catch {
    return null
  }
}

export function removeInstallation(dataDir: string): void {
  rmSync(fileIn(dataDir), { force: true })
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'app.pid')
}
