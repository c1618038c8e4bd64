import { accessSync, constants, existsSync, mkdirSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import pg from 'pg'
import { findBinaries } from './postgres/binaries.ts'
import { existingData, openCluster, removePlaceElsewhere, urlOf } from './postgres/cluster.ts'
import { ensureRunning } from './postgres/launch.ts'
import { findPostmaster, shutDown } from './postgres/postmaster.ts'
import { withStartLock } from './postgres/start-lock.ts'

export interface EmbeddedPostgres {
  /** Owner's connection string of the database `dineback`. */
  url: string
  /** Whether the server was running before we came. */
  reused: boolean
  /** Stops the server, whoever started it, and waits until it is down. */
  stop(): Promise<void>
}

/**
 * Starts a real PostgreSQL with its data under `dataDir`, or takes over the one that an earlier process left
 * running. `log` gets a line per slow step. Throws with the server's own words when it does not start.
 */
export async function startPostgres(options: {
  dataDir: string
  log: (line: string) => void
}): Promise<EmbeddedPostgres> {
  const home = openHome(options.dataDir)
  return withStartLock(home, async () => {
    const cluster = await openCluster(home, options.log)
    const { port, reused } = await ensureRunning(cluster, options.log)
    await createDatabase(urlOf(cluster.notes.password, port, 'postgres'))
    const url = urlOf(cluster.notes.password, port, 'dineback')
    return { url, reused, stop: async () => void (await stopPostgres(home)) }
  })
}

/** Stops the server of a data folder if one is running. Answers whether there was one. */
export async function stopPostgres(dataDir: string): Promise<boolean> {
  if (!existsSync(dataDir)) return false
  const home = openHome(dataDir)
  return withStartLock(home, async () => {
    const data = existingData(home)
    const running = data && findPostmaster(realpathSync(data))
    if (!running) return false
    // Only Windows needs a program for it; elsewhere a signal does.
    const bin = process.platform === 'win32' ? findBinaries(home, null) : ''
    await shutDown(realpathSync(data), bin, running)
    return true
  })
}

/** Stops the server and removes what it keeps outside the data folder, which itself stays the caller's. */
export async function forgetPostgres(dataDir: string): Promise<boolean> {
  const stopped = await stopPostgres(dataDir)
  if (existsSync(dataDir)) removePlaceElsewhere(resolve(dataDir))
  return stopped
}

function openHome(dataDir: string): string {
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
