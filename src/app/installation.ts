import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type HeldLock, tryHold } from '../kit/server/hold-lock.ts'

/** An installation that is served from a data folder. */
export interface RunningInstallation {
  pid: number
  /** The address to open; null while it starts. */
  address: string | null
}

/** The exit code of a start that finds the installation running. */
export const ALREADY_RUNNING = 3

let held: HeldLock | null = null

/**
 * Claims a data folder with its embedded PostgreSQL for this process; the system releases it when the process ends,
 * however it ends. Returns null when it is ours, also when it was before, else the installation that runs there.
 * Processes that share a PostgreSQL of their own need no claim: several may serve one database.
 */
export function claimInstallation(env: Record<string, string | undefined>): RunningInstallation | null {
  if (env.DATABASE_URL || held) return null
  const dataDir = env.DATA_DIR || '.data'
  mkdirSync(dataDir, { recursive: true })
  held = tryHold(join(dataDir, 'app.lock'))
  if (held) {
    writeInstallation(dataDir, null)
    return null
  }
  return readInstallation(dataDir) ?? { pid: 0, address: null }
}

/** What a second start says. */
export function alreadyRunning({ pid, address }: RunningInstallation): string {
  const where = address ? `: ${address}` : ' and is starting.'
  const process = pid > 0 ? ` (process ${pid})` : ''
  return `\n  Dineback is already running in this folder${process}${where}\n  A second installation needs a DATA_DIR and a PORT of its own.\n`
}

/** Records who serves from a data folder, and where. */
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
