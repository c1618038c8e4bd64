import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../../src/embedded-postgres/embedded-postgres.ts'
import { withStartLock } from '../../src/embedded-postgres/start-lock.ts'
import { freePort } from './free-port.ts'
import { spawnApp } from './test-server.ts'

/** The real process with its own database, which can be killed at any moment. */
export interface FallibleApp {
  port: number
  dataDir: string
  /** The current process. */
  process(): ChildProcess
  /** Kills the app with SIGKILL and starts it again. */
  kill(): Promise<void>
  /** Kills PostgreSQL with SIGKILL and starts it again. */
  killPostgres(): Promise<void>
  /** Runs a query as the owner of the database. */
  query<R extends pg.QueryResultRow>(statement: string, values?: unknown[]): Promise<R[]>
  close(): Promise<void>
}

export async function startFallibleApp(): Promise<FallibleApp> {
  const dataDir = await copyPreparedData()
  const port = await freePort()
  let app = await startProcess(port, dataDir)
  const openPostgres = () => startPostgres({ dataDir: join(dataDir, 'postgres'), log: () => {} })
  let postgres = await openPostgres()

  async function end(): Promise<void> {
    const ended = new Promise((resolve) => app.once('exit', resolve))
    app.kill('SIGKILL')
    await ended
  }

  async function restart(): Promise<void> {
    await end()
    app = await startProcess(port, dataDir)
  }

  return {
    port,
    dataDir,
    process: () => app,
    kill: restart,
    async killPostgres() {
      const postmaster = Number(readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0])
      process.kill(postmaster, 'SIGKILL')
      // The app may also restart it; the first attempt wins.
      postgres = await openPostgres()
    },
    async query(statement, values = []) {
      const owner = new pg.Client({ connectionString: postgres.url })
      await owner.connect()
      try {
        return (await owner.query(statement, values)).rows
      } finally {
        await owner.end()
      }
    },
    async close() {
      await end()
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * Returns a new data folder as a first start leaves it, with PostgreSQL and the sample data. A first start takes four
 * times the work of a later one, so a run has one, and each caller gets a copy of its folder.
 */
export async function copyPreparedData(): Promise<string> {
  const temporary = realpathSync(tmpdir())
  const home = join(temporary, 'dineback-prepared')
  mkdirSync(home, { recursive: true })
  const prepared = join(home, 'data')
  await withStartLock(home, async () => {
    if (existsSync(prepared)) return
    const unfinished = newFolder(join(home, 'unfinished-'))
    const app = await startProcess(await freePort(), unfinished)
    const ended = once(app, 'exit')
    app.kill('SIGTERM')
    await ended
    renameSync(unfinished, prepared)
  })
  const copy = newFolder(join(temporary, 'dineback-copy-'))
  // Unlike Node's copy, this one keeps the owner.
  execFileSync('cp', ['-a', `${prepared}/.`, copy])
  return copy
}

// When run as root, PostgreSQL runs as another user, who needs access.
function newFolder(prefix: string): string {
  const folder = mkdtempSync(prefix)
  chmodSync(folder, 0o755)
  return folder
}

/** Returns the environment of an app without pages that starts its own PostgreSQL in the given folder. */
export const ownDatabaseEnvironment = (port: number, dataDir: string): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_ENV: 'development',
  PORT: String(port),
  DATA_DIR: dataDir,
  DATABASE_URL: '',
  WITHOUT_PAGES: '1',
  LOG_LEVEL: 'error',
  ADMIN_PORT: 'off',
})

/** Starts the app without pages; resolves when it serves. The app ends with this process. */
export function startProcess(port: number, dataDir: string): Promise<ChildProcess> {
  const child = spawnApp(['src/main.ts'], ownDatabaseEnvironment(port, dataDir))
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => chunk.includes('Ctrl+C') && resolve(child))
    child.once('exit', (code) => reject(new Error(`the app ended with ${code}`)))
  })
}
