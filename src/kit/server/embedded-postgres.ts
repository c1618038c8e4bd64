import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { findBinaries, giveTo, type RunAs, runAs } from './postgres/binaries.ts'

const execute = promisify(execFile)

interface Notes {
  port: number
  password: string
}

interface Cluster {
  home: string
  data: string
  bin: string
  user: RunAs | null
  notes: Notes
}

export interface EmbeddedPostgres {
  /** Owner's connection string of the database `dineback`. */
  url: string
  /** Whether the server was running before we came. */
  reused: boolean
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
  const home = resolve(options.dataDir)
  mkdirSync(home, { recursive: true })
  const user = runAs()
  const cluster = await openCluster(home, user, options.log)
  const reused = await answers(cluster)
  if (!reused) await startServer(cluster, options.log)
  await createDatabase(cluster)
  return { url: urlOf(cluster, 'dineback'), reused, stop: () => stopServer(cluster) }
}

/** Stops the server of a data folder if one is running. Answers whether there was one. */
export async function stopPostgres(dataDir: string): Promise<boolean> {
  const home = resolve(dataDir)
  const data = join(home, 'data')
  if (!existsSync(join(data, 'postmaster.pid'))) return false
  const user = runAs()
  const cluster = { home, data, bin: join(findBinaries(home, user), 'bin'), user, notes: readNotes(home) }
  const running = await answers(cluster)
  await stopServer(cluster)
  return running
}

async function openCluster(home: string, user: RunAs | null, log: (line: string) => void): Promise<Cluster> {
  const bin = join(findBinaries(home, user), 'bin')
  const data = join(home, 'data')
  if (existsSync(join(data, 'PG_VERSION'))) return { home, data, bin, user, notes: readNotes(home) }
  log('database: creating a PostgreSQL cluster')
  const notes = { port: await freePort(), password: randomBytes(24).toString('base64url') }
  writeFileSync(join(home, 'notes.json'), JSON.stringify(notes), { mode: 0o600 })
  // Made beside its place and moved there whole: an interrupted initdb is simply made again.
  const half = join(home, 'data.new')
  rmSync(half, { recursive: true, force: true })
  rmSync(data, { recursive: true, force: true })
  mkdirSync(half, { mode: 0o700 })
  const passwordFile = join(half, '..', 'password')
  writeFileSync(passwordFile, notes.password, { mode: 0o600 })
  giveTo(home, user)
  const flags = ['--username=dineback', '--encoding=UTF8', '--locale=C.UTF-8', '--auth=scram-sha-256']
  await execute(join(bin, 'initdb'), ['-D', half, ...flags, `--pwfile=${passwordFile}`], { ...(user ?? {}), cwd: home })
  rmSync(passwordFile)
  renameSync(half, data)
  return { home, data, bin, user, notes }
}

function readNotes(home: string): Notes {
  return JSON.parse(readFileSync(join(home, 'notes.json'), 'utf8'))
}

function urlOf({ notes }: Pick<Cluster, 'notes'>, database: string): string {
  return `postgres://dineback:${notes.password}@127.0.0.1:${notes.port}/${database}`
}

async function answers(cluster: Pick<Cluster, 'notes'>): Promise<boolean> {
  const client = new pg.Client({ connectionString: urlOf(cluster, 'postgres'), connectionTimeoutMillis: 3_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

async function startServer(cluster: Cluster, log: (line: string) => void): Promise<void> {
  const { home, data, bin, user, notes } = cluster
  log('database: starting PostgreSQL')
  const logFile = join(home, 'server.log')
  const out = openSync(logFile, 'a')
  const options = ['-D', data, '-p', String(notes.port), '-h', '127.0.0.1', '-k', '', '-c', 'max_connections=200']
  // A server of its own: it must be able to finish writing when we are killed.
  const child = spawn(join(bin, 'postgres'), options, {
    stdio: ['ignore', out, out],
    detached: true,
    cwd: home,
    ...(user ?? {}),
  })
  let ended = false
  child.once('exit', () => {
    ended = true
  })
  child.unref()
  for (let wait = 20; ; wait = Math.min(250, wait * 1.5)) {
    if (await answers(cluster)) return
    if (ended) throw new Error(`PostgreSQL did not start:\n${tail(logFile)}`)
    await new Promise((done) => setTimeout(done, wait))
  }
}

function tail(file: string): string {
  return readFileSync(file, 'utf8').split('\n').slice(-12).join('\n')
}

async function stopServer({ data, bin, user }: Cluster): Promise<void> {
  if (!existsSync(join(data, 'postmaster.pid'))) return
  await execute(join(bin, 'pg_ctl'), ['stop', '-D', data, '-m', 'fast', '-w'], { ...(user ?? {}), cwd: data }).catch(
    (error: { stderr?: string }) => {
      // Somebody else stopped it first.
      if (existsSync(join(data, 'postmaster.pid'))) throw new Error(error.stderr ?? 'PostgreSQL did not stop')
    },
  )
}

async function createDatabase(cluster: Cluster): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(cluster, 'postgres') })
  await client.connect()
  try {
    const { rowCount } = await client.query("select from pg_database where datname = 'dineback'")
    if (rowCount === 0) await client.query('create database dineback')
  } finally {
    await client.end()
  }
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer()
    probe.on('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => done(port))
    })
  })
}
