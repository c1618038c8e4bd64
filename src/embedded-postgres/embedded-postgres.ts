import { accessSync, constants, existsSync, mkdirSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import pg from 'pg'
import { recordPortChange } from '../platform/database/address.ts'
import { findBinaries } from './binaries.ts'
import { findDataDir, openCluster, readNotes, removeExternalDataDir, urlOf } from './cluster.ts'
import { ensureRunning } from './launch.ts'
import { findPostmaster, shutDown } from './postmaster.ts'
import { isUsed, type Presence, registerPresence } from './presence.ts'
import { withStartLock } from './start-lock.ts'
import { type Supervisor, supervise } from './supervise.ts'

export interface EmbeddedPostgres {
  /** The owner's connection string of the database `dineback`. */
  url: string
  /** Whether the server was already running. */
  reused: boolean
  /** Releases the server, and stops it when no other process uses it. */
  stop(): Promise<void>
}

export interface PostgresOptions {
  dataDir: string
  /** Receives one line per slow step. */
  log: (line: string) => void
  /** Whether this process restarts the server after an unexpected exit. */
  supervised?: boolean
}

/** This process's use of the server of one data folder. */
interface Use {
  home: string
  url: string
  /** Number of callers in this process. */
  users: number
  presence: Presence | null
  supervisor: Supervisor | null
}

const uses = new Map<string, Use>()

/**
 * Starts PostgreSQL with its data under `dataDir`, or uses the running server. Throws with the server's own message
 * when it does not start.
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const home = openDataFolder(options.dataDir)
  return withStartLock(home, async () => {
    const cluster = await openCluster(home, options.log)
    const { reused, ...address } = await ensureRunning(cluster, options.log)
    const adminUrl = urlOf(cluster.notes.password, address, 'postgres')
    await createDatabase(adminUrl)
    // The end of a killed server's connection may not have been noticed yet.
    if (!reused && !uses.get(home)?.supervisor) uses.delete(home)
    const use = uses.get(home) ?? (await registerUse(home, adminUrl))
    use.users++
    if (options.supervised) use.supervisor ??= superviseUse(use, address.port, options.log)
    let stopped = false
    return {
      url: urlOf(cluster.notes.password, address, 'dineback'),
      reused,
      async stop() {
        if (stopped) return
        stopped = true
        await releaseUse(use)
      },
    }
  })
}

async function registerUse(home: string, url: string): Promise<Use> {
  const use: Use = { home, url, users: 0, presence: null, supervisor: null }
  use.presence = await registerPresence(url, () => handleConnectionLoss(use))
  uses.set(home, use)
  return use
}

// Without a supervisor, the next start creates a new use.
function handleConnectionLoss(use: Use): void {
  use.presence = null
  if (use.supervisor) use.supervisor.restart()
  else if (uses.get(use.home) === use) uses.delete(use.home)
}

function superviseUse(use: Use, firstPort: number, log: (line: string) => void): Supervisor {
  return supervise(async () => {
    await withStartLock(use.home, async () => {
      if (uses.get(use.home) !== use) return
      // Creating an empty cluster in place of a removed one would look like data loss.
      if (findDataDir(use.home) === null) throw new Error(`the data of PostgreSQL in ${use.home} was removed`)
      const cluster = await openCluster(use.home, log)
      const address = await ensureRunning(cluster, log)
      recordPortChange(firstPort, address.port)
      use.url = urlOf(cluster.notes.password, address, 'postgres')
      use.presence = await registerPresence(use.url, () => handleConnectionLoss(use))
    })
  }, log)
}

async function releaseUse(use: Use): Promise<void> {
  if (uses.get(use.home) !== use) return
  await withStartLock(use.home, async () => {
    use.users--
    if (use.users > 0 || uses.get(use.home) !== use) return
    uses.delete(use.home)
    use.supervisor?.stop()
    // The last user stops the server, even if another process started it.
    const isUsedByOthers = await (use.presence ? use.presence.leave() : isUsed(use.url))
    if (!isUsedByOthers) await shutDownServer(use.home)
  })
}

/** Returns whether any process uses the server of a data folder. */
export async function isPostgresUsed(dataDir: string): Promise<boolean> {
  if (!existsSync(dataDir)) return false
  const home = openDataFolder(dataDir)
  return withStartLock(home, async () => {
    const data = findDataDir(home)
    const running = data === null ? null : findPostmaster(realpathSync(data))
    return running?.ready ? isUsed(urlOf(readNotes(home).password, running, 'postgres')) : false
  })
}

/** Stops the server of a data folder, even when it is in use. Returns whether one was running. */
export async function stopPostgres(dataDir: string): Promise<boolean> {
  if (!existsSync(dataDir)) return false
  const home = openDataFolder(dataDir)
  uses.get(home)?.supervisor?.stop()
  uses.delete(home)
  return withStartLock(home, () => shutDownServer(home))
}

async function shutDownServer(home: string): Promise<boolean> {
  const data = findDataDir(home)
  const running = data && findPostmaster(realpathSync(data))
  if (!running) return false
  // Only Windows needs pg_ctl; elsewhere a signal suffices.
  const bin = process.platform === 'win32' ? findBinaries(home, null) : ''
  await shutDown(realpathSync(data), bin, running)
  return true
}

/** Stops the server and removes its files outside the data folder; the caller owns the data folder itself. */
export async function removePostgres(dataDir: string): Promise<boolean> {
  const stopped = await stopPostgres(dataDir)
  if (existsSync(dataDir)) removeExternalDataDir(resolve(dataDir))
  return stopped
}

function openDataFolder(dataDir: string): string {
  const home = resolve(dataDir)
  mkdirSync(home, { recursive: true })
  try {
    accessSync(home, constants.R_OK | constants.W_OK)
  } catch {
    throw new Error(`${home} belongs to another user; work as that user, or remove the folder`)
  }
  return home
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rowCount } = await client.query("select from pg_database where datname = 'dineback'")
    if (rowCount === 0) await client.query('create database dineback')
  } finally {
    await client.end()
  }
}
