import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import {
  type Address,
  type Cluster,
  lastLines,
  PostgresStartError,
  plainEnvironment,
  storePort,
  urlOf,
} from './cluster.ts'
import { freePort, isFree, takesSockets } from './ports.ts'
import { clearStaleLocks, findPostmaster, type Postmaster } from './postmaster.ts'

const LOG_BYTES = 10_000_000
const WAIT_LOG_INTERVAL_MS = 5_000

type Log = (line: string) => void

/**
 * Returns the running server of a cluster; starts one when none runs, and waits for a recovery or another process's
 * shutdown to end. Call it while holding the start lock. Throws with the server's own message when it does not start.
 */
export async function ensureRunning(cluster: Cluster, log: Log): Promise<Postmaster & { reused: boolean }> {
  for (;;) {
    const found = findPostmaster(cluster.data)
    const ready = found && (await becomesReady(cluster, found.pid, log))
    if (ready) return { ...ready, reused: true }
    if (!found) {
      clearStaleLocks(cluster.data)
      const started = await launch(cluster, log)
      if (started) return { ...started, reused: false }
    }
  }
}

async function launch(cluster: Cluster, log: Log): Promise<Postmaster | null> {
  const { home, data, bin, user } = cluster
  if (!(await becomesFree(cluster.notes.port))) storePort(cluster, await freePort())
  log('database: starting PostgreSQL')
  const logFile = openLog(home)
  const settings = { max_connections: 200, synchronous_commit: 'on', log_error_verbosity: 'terse' }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // Only the server's user and root can enter its data folder.
  const sockets = (await takesSockets(data)) ? data : ''
  // A separate process group: it must survive Ctrl+C until our connections are closed.
  const child = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(cluster.notes.port), '-h', '127.0.0.1', '-k', sockets, ...flags],
    {
      stdio: ['ignore', logFile.fd, logFile.fd],
      detached: true,
      windowsHide: true,
      cwd: data,
      env: plainEnvironment(),
      ...user,
    },
  )
  closeSync(logFile.fd)
  child.unref()
  const ended = new Promise<'ended'>((done) =>
    child.once('exit', () => done('ended')).once('error', () => done('ended')),
  )
  while (findPostmaster(data) === null) {
    if ((await Promise.race([ended, wait(20)])) === 'ended') return explain(logFile, log)
  }
  const postmaster = findPostmaster(data)
  return (postmaster && (await becomesReady(cluster, postmaster.pid, log))) ?? explain(logFile, log)
}

// The processes of a killed server may still occupy its port briefly.
async function becomesFree(port: number): Promise<boolean> {
  for (let attempt = 1; attempt <= 20; attempt++) {
    if (await isFree(port)) return true
    await wait(50)
  }
  return false
}

// Returns the server when it accepts connections, or null when it exited before.
async function becomesReady(cluster: Cluster, pid: number, log: Log): Promise<Postmaster | null> {
  let lastLogAt = performance.now()
  for (;;) {
    const current = findPostmaster(cluster.data)
    if (current?.pid !== pid) return null
    if (current.ready && (await isResponding(cluster, current))) return current
    if (performance.now() - lastLogAt > WAIT_LOG_INTERVAL_MS) {
      log('database: waiting for PostgreSQL, which is recovering or shutting down')
      lastLogAt = performance.now()
    }
    await wait(25)
  }
}

async function isResponding({ data, notes }: Cluster, address: Address): Promise<boolean> {
  const client = new pg.Client({
    connectionString: urlOf(notes.password, address, 'postgres'),
    connectionTimeoutMillis: 3_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === '28P01') throw new Error(`the PostgreSQL in ${data} has a different password than the stored one`)
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

interface LogFile {
  path: string
  fd: number
  /** Offset of the first line of this start. */
  from: number
}

function openLog(home: string): LogFile {
  const path = join(home, 'server.log')
  const bytes = existsSync(path) ? statSync(path).size : 0
  if (bytes > LOG_BYTES) renameSync(path, `${path}.1`)
  return { path, fd: openSync(path, 'a', 0o600), from: bytes > LOG_BYTES ? 0 : bytes }
}

// Returns null when the start should be retried.
async function explain({ path, from }: LogFile, log: Log): Promise<null> {
  const output = readFileSync(path).subarray(from).toString('utf8')
  const passing = ['shared memory block', 'could not bind', 'received fast shutdown', 'received immediate shutdown']
  if (!passing.some((reason) => output.includes(reason))) {
    throw new PostgresStartError(`PostgreSQL did not start:\n${lastLines(output)}`)
  }
  log('database: trying once more')
  await wait(500)
  return null
}
