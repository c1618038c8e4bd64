import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase } from '../../src/app/database.ts'
import { seed, seedPrograms } from '../../src/app/seed.ts'
import { readSettings, type Settings } from '../../src/platform/config/settings.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { loadPrograms } from '../../src/programs/partners/load-programs.ts'
import { startTestPostgres } from './test-postgres.ts'

/** The content of a new test database: nothing, the schema, the sample programs, or all of the sample data. */
export type Template = 'empty' | 'schema' | 'programs' | 'samples'

export interface TestRun {
  /** Connection string of the server's owner, with the database `postgres`. */
  serverUrl: string
  /** Prefix of the names of all databases and login roles of this run. */
  prefix: string
  /** Drops every database and role of this run, and stops the server unless another run uses it. */
  close(): Promise<void>
}

const environmentName = 'DINEBACK_TEST_RUN'
const prefixPattern = '^test_[0-9a-f]{12}_'
const groups = ['dineback_app', 'dineback_vault', 'dineback_forms', 'dineback_console', 'dineback_backup']

/**
 * Starts a test run: finds or starts PostgreSQL, removes what crashed runs have left there, and creates the given
 * templates, each migrated and seeded once. The processes started afterwards find the run by the environment.
 * Only TEST_DATABASE_URL names a server to use; a user's DATABASE_URL is never read. `durable` makes the embedded
 * server flush its writes to disk, which benchmarks need and tests do not.
 */
export async function openTestRun(
  templates: readonly Exclude<Template, 'empty'>[],
  { durable = false }: { durable?: boolean } = {},
): Promise<TestRun> {
  const given = process.env.TEST_DATABASE_URL
  const embedded = given ? null : await startTestPostgres({ durable })
  const serverUrl = withDatabase(given ?? (embedded as { url: string }).url, 'postgres')
  const prefix = `test_${randomBytes(6).toString('hex')}_`
  const holder = new pg.Client({ connectionString: serverUrl })
  holder.on('error', () => {})
  await holder.connect()
  if (embedded) await applyServerSettings(holder, durable)
  const before = await holder.query<{ rolname: string }>('select rolname from pg_roles where rolname = any($1)', [
    groups,
  ])
  await removeStale(holder)
  // The lock shows other runs that this one is alive. It is released with the connection.
  await holder.query('select pg_advisory_lock(hashtextextended($1, 0))', [prefix])
  const run = {
    serverUrl,
    prefix,
    async close() {
      await removeAll(holder, prefix)
      const existing = before.rows.map(({ rolname }) => rolname)
      for (const group of groups.filter((name) => !existing.includes(name))) await dropUnusedRole(holder, group)
      await holder.end()
      await embedded?.stop()
      delete process.env[environmentName]
    },
  }
  process.env[environmentName] = JSON.stringify({ serverUrl, prefix })
  try {
    for (const template of templates) await makeTemplate(run, template)
  } catch (error) {
    await run.close()
    throw error
  }
  return run
}

/** Returns the run that this process belongs to, which ends elsewhere, or opens one. */
export async function joinTestRun(templates: readonly Exclude<Template, 'empty'>[]): Promise<Pick<TestRun, 'close'>> {
  return currentTestRun() ? { close: async () => {} } : openTestRun(templates)
}

/**
 * Starts the server that several test runs share, and passes it to them. Does nothing if TEST_DATABASE_URL names a
 * server. `leftovers` lists databases and login roles of runs that have ended.
 */
export async function openTestServer(): Promise<{ leftovers(): Promise<string[]>; close(): Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL
  const embedded = given ? null : await startTestPostgres({ durable: false })
  const url = withDatabase(given ?? (embedded as { url: string }).url, 'postgres')
  process.env.TEST_DATABASE_URL = url
  if (embedded) await withClient(url, (client) => applyServerSettings(client, false))
  return {
    leftovers: () => withClient(url, listLeftovers),
    async close() {
      if (!given) delete process.env.TEST_DATABASE_URL
      await embedded?.stop()
    },
  }
}

/** Runs `work` within a test run, and closes the run afterwards. */
export async function withTestRun<T>(
  templates: readonly Exclude<Template, 'empty'>[],
  options: { durable?: boolean },
  work: () => Promise<T>,
): Promise<T> {
  const run = await openTestRun(templates, options)
  try {
    return await work()
  } finally {
    await run.close()
  }
}

/** Returns the run that this process belongs to, or null outside of one. */
export function currentTestRun(): Pick<TestRun, 'serverUrl' | 'prefix'> | null {
  const text = process.env[environmentName]
  return text ? JSON.parse(text) : null
}

export const templateName = (prefix: string, template: Template) => `${prefix}template_${template}`

/** Returns the same connection string for another database of the server. */
export function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

async function applyServerSettings(client: pg.Client, durable: boolean): Promise<void> {
  // Autovacuum would visit a hundred databases by turns, each with a new process.
  for (const name of ['fsync', 'full_page_writes', 'autovacuum'])
    await client.query(`alter system set ${name} = ${durable ? 'on' : 'off'}`)
  // Both sides hash the passwords of the login roles, whose connections a test opens by the dozen.
  await client.query(durable ? 'alter system reset scram_iterations' : 'alter system set scram_iterations = 1')
  await client.query('select pg_reload_conf()')
}

async function makeTemplate({ serverUrl, prefix }: TestRun, template: Exclude<Template, 'empty'>): Promise<void> {
  const name = templateName(prefix, template)
  await onServer(serverUrl, `create database ${name}`)
  const url = withDatabase(serverUrl, name)
  if (template === 'schema') {
    await migrate({ url, directory: 'db/migrations', log: () => {} })
    return
  }
  const settings = templateSettings(url)
  const database = await openDatabase(settings, { log: () => {}, onError: () => {} })
  try {
    const programs = loadPrograms(settings.PROGRAMS_DIR)
    if (template === 'programs') await seedPrograms(database, programs)
    else await seed(settings, database, programs, () => {})
  } finally {
    await database.stop()
  }
}

// The secrets only derive the passwords of the template's own login roles, which are not used again.
function templateSettings(url: string): Settings {
  const secret = () => randomBytes(32).toString('base64')
  return readSettings({ NODE_ENV: 'development', DATABASE_URL: url, DATA_DIR: join('.data-test', 'template') }, () => ({
    APP_SECRET: secret(),
    VAULT_SECRET: secret(),
    FEED_SECRET: secret(),
    ID_SECRET: secret(),
  }))
}

/** Returns the names of databases and login roles whose run is no longer alive. */
async function listLeftovers(client: pg.Client): Promise<string[]> {
  const names: string[] = []
  for (const prefix of await deadPrefixes(client)) {
    const { rows } = await client.query<{ name: string }>(
      `select datname as name from pg_database where starts_with(datname, $1)
       union select rolname from pg_roles where starts_with(rolname, $1)`,
      [prefix],
    )
    names.push(...rows.map(({ name }) => name))
    await unlock(client, prefix)
  }
  return names
}

/** Removes what runs left that ended without closing: their lock is free. */
async function removeStale(client: pg.Client): Promise<void> {
  for (const prefix of await deadPrefixes(client)) {
    await removeAll(client, prefix)
    await unlock(client, prefix)
  }
}

/**
 * Returns the prefixes of runs that have left something and are not alive. This session holds the lock of each
 * afterwards.
 */
async function deadPrefixes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ prefix: string }>(
    `select distinct substring(name from $1) as prefix
     from (select datname as name from pg_database union select rolname from pg_roles) names where name ~ $1`,
    [prefixPattern],
  )
  const dead: string[] = []
  for (const { prefix } of rows) {
    const { rows: locks } = await client.query<{ free: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as free',
      [prefix],
    )
    if (locks[0]?.free) dead.push(prefix)
  }
  return dead
}

const unlock = (client: pg.Client, prefix: string) =>
  client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [prefix])

async function removeAll(client: pg.Client, prefix: string): Promise<void> {
  const list = (catalog: string, column: string) =>
    client
      .query<{ name: string }>(`select ${column} as name from ${catalog} where starts_with(${column}, $1)`, [prefix])
      .then(({ rows }) => rows.map(({ name }) => client.escapeIdentifier(name)))
  for (const name of await list('pg_database', 'datname'))
    await client.query(`drop database if exists ${name} with (force)`)
  for (const name of await list('pg_roles', 'rolname')) await client.query(`drop role if exists ${name}`)
}

/** Drops a role that the run's migrations created, unless another database of the server uses it. */
async function dropUnusedRole(client: pg.Client, name: string): Promise<void> {
  const inUse = new Set(['2BP01', '55006'])
  await client.query(`drop role if exists ${name}`).catch((error: { code?: string }) => {
    if (!inUse.has(error.code ?? '')) throw error
  })
}

/** Runs one statement as the server's owner. */
const onServer = (serverUrl: string, statement: string) => withClient(serverUrl, (client) => client.query(statement))

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
