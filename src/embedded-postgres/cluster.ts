import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findBinaries } from './binaries.ts'
import { freePort } from './ports.ts'
import { canEnter, type RunAs, runAs } from './run-as.ts'

const execute = promisify(execFile)
const major = '18'

interface Notes {
  port: number
  password: string
}

/** PostgreSQL cannot be started; the message has its own words. */
export class PostgresStartError extends Error {}

/** A PostgreSQL data directory and what is needed to run it. */
export interface Cluster {
  /** Our own folder: notes, log and lock. */
  home: string
  /** PostgreSQL's data directory as a real path. */
  data: string
  bin: string
  user: RunAs | null
  notes: Notes
}

/** Opens the cluster of a data folder; creates it at the first call. Call it while holding the start lock. */
export async function openCluster(home: string, log: (line: string) => void): Promise<Cluster> {
  const { place, user } = findPlace(home, log)
  const data = join(place, 'data')
  const bin = findBinaries(place, user)
  if (!existsSync(data)) await createCluster({ home, place, bin, user, log })
  const version = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  if (version !== major) throw new Error(`${data} was created by PostgreSQL ${version}; this is PostgreSQL ${major}`)
  return { home, data: realpathSync(data), bin, user, notes: readNotes(home) }
}

/** Returns the data directory of a data folder, or null before the first start. */
export function findDataDir(home: string): string | null {
  return [home, externalDataDir(home)].map((place) => join(place, 'data')).find((data) => existsSync(data)) ?? null
}

/** Returns the end of PostgreSQL's output, which has the reason. */
export const lastLines = (output: string): string => output.trim().split('\n').slice(-12).join('\n')

/** Stores the port for the next start. */
export function storePort(cluster: Cluster, port: number): void {
  cluster.notes = { ...cluster.notes, port }
  writeNotes(cluster.home, cluster.notes)
}

/** Removes the files of a data folder that are stored outside of it; the server must be stopped. */
export function removeExternalDataDir(home: string): void {
  rmSync(externalDataDir(home), { recursive: true, force: true })
}

/** Where a server listens: on loopback, and in a folder for Unix sockets, if it has one. */
export interface Address {
  port: number
  /** The folder of its Unix socket, or null. */
  sockets: string | null
}

/** The owner's connection string. A query through a Unix socket takes half the processor time of one over TCP. */
export function urlOf(password: string, { port, sockets }: Address, database: string): string {
  const host = sockets === null ? '127.0.0.1' : encodeURIComponent(sockets)
  return `postgres://dineback:${password}@${host}:${port}/${database}`
}

// Under root's 0700 home no other user has access, and PostgreSQL must run as another user: its data is stored outside.
function findPlace(home: string, log: (line: string) => void): { place: string; user: RunAs | null } {
  const data = findDataDir(home)
  const user = runAs(data ?? join(home, 'data'))
  if (canEnter(home, user)) return { place: data ? join(data, '..') : home, user }
  const place = externalDataDir(home)
  if (data === join(home, 'data')) throw new Error(`the user who owns ${data} cannot enter ${home}`)
  mkdirSync(place, { recursive: true })
  chmodSync(join(place, '..'), 0o755)
  chmodSync(place, 0o755)
  log(`database: PostgreSQL cannot enter ${home} (it may not run as root); its data is stored in ${place}`)
  return { place, user }
}

function externalDataDir(home: string): string {
  return join('/var/lib/dineback', createHash('sha256').update(realpathSync(home)).digest('hex').slice(0, 16))
}

async function createCluster(options: {
  home: string
  place: string
  bin: string
  user: RunAs | null
  log: (line: string) => void
}): Promise<void> {
  const { home, place, bin, user, log } = options
  log('database: creating a PostgreSQL cluster')
  removeHalves(place)
  const notes = { port: await freePort(), password: randomBytes(24).toString('base64url') }
  writeNotes(home, notes)
  // Created in a temporary folder and renamed: an interrupted initdb is repeated. The name is new each time, because
  // the initdb of a killed process may still be writing.
  const half = join(place, `data.new-${randomBytes(4).toString('hex')}`)
  const passwordFile = `${half}.password`
  mkdirSync(half, { mode: 0o700 })
  writeFileSync(passwordFile, notes.password, { mode: 0o600 })
  if (user) for (const path of [half, passwordFile]) chownSync(path, user.uid, user.gid)
  const flags = ['--username=dineback', '--encoding=UTF8', '--locale=C.UTF-8', '--auth=scram-sha-256']
  try {
    await execute(join(bin, 'initdb'), ['-D', half, ...flags, `--pwfile=${passwordFile}`], {
      ...user,
      cwd: place,
      env: plainEnvironment(),
    })
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    throw new PostgresStartError(`PostgreSQL could not create its files in ${place}:\n${lastLines(stderr || message)}`)
  } finally {
    rmSync(passwordFile, { force: true })
  }
  renameSync(half, join(place, 'data'))
}

function removeHalves(place: string): void {
  for (const name of readdirSync(place).filter((entry) => entry.startsWith('data.new') || entry === 'password')) {
    try {
      rmSync(join(place, name), { recursive: true, force: true })
    } catch {
      // An orphaned initdb is still writing into it; the next start can remove it.
    }
  }
}

/** Returns the environment without the variables of libpq and PostgreSQL, which would redirect it. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PG')))
}

/** Returns the port and the password of a data folder's server. */
export function readNotes(home: string): Notes {
  return JSON.parse(readFileSync(join(home, 'notes.json'), 'utf8'))
}

function writeNotes(home: string, notes: Notes): void {
  const file = join(home, 'notes.json')
  writeFileSync(`${file}.new`, JSON.stringify(notes), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
