import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

interface Migration {
  name: string
  sql: string
  checksum: string
}

/** The migrations cannot be applied; the message says which one and why. */
export class MigrationError extends Error {}

// Key of the advisory lock: processes that start at the same time on one database wait for each other.
const lock = 7_341_220_115
const bookkeeping =
  'create table if not exists public.schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())'

/**
 * Applies the numbered `.sql` files that the database does not have yet, in order, each in its own transaction. Throws
 * MigrationError when an applied file has changed or is missing, or a number is used twice.
 */
export async function migrate(options: {
  url: string
  directory: string
  log: (line: string) => void
}): Promise<{ applied: string[] }> {
  const migrations = readMigrations(options.directory)
  const client = new pg.Client({ connectionString: options.url })
  // A lost connection surfaces as the error of the next query.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lock])
    // Dates in migrations, such as the bounds of partitions, do not depend on the server.
    await client.query("set timezone to 'UTC'")
    await client.query(bookkeeping)
    const { rows } = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from public.schema_migrations order by name',
    )
    compare(migrations, rows)
    const pending = migrations.slice(rows.length)
    for (const migration of pending) {
      options.log(`database: applying ${migration.name}`)
      await apply(client, migration)
    }
    return { applied: pending.map(({ name }) => name) }
  } finally {
    await client.end()
  }
}

/**
 * Applies exactly the wanted migrations to an empty database within the caller's transaction. Throws MigrationError
 * when a wanted one is missing or differs.
 */
export async function applyMigrations(
  client: pg.Client,
  { directory, wanted }: { directory: string; wanted: readonly { name: string; checksum: string }[] },
): Promise<void> {
  const migrations = readMigrations(directory)
  compare(migrations, wanted)
  await client.query('select pg_advisory_xact_lock($1)', [lock])
  await client.query(bookkeeping)
  for (const { name, sql, checksum } of migrations.slice(0, wanted.length)) {
    await client.query(sql)
    await client.query('insert into public.schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
  }
}

function readMigrations(directory: string): Migration[] {
  const names = readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  let last = 0
  return names.map((name) => {
    const number = Number(/^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1])
    if (Number.isNaN(number)) throw new MigrationError(`${name} is not named like 0001-name.sql`)
    // Numbers may have gaps: parallel branches reserve ranges.
    if (number <= last) throw new MigrationError(`${name}: number ${number} is used twice`)
    last = number
    // CRLF line endings of a Windows checkout are not a change.
    const sql = readFileSync(join(directory, name), 'utf8').replaceAll('\r\n', '\n')
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
  })
}

function compare(migrations: readonly Migration[], applied: readonly { name: string; checksum: string }[]): void {
  for (const [index, { name, checksum }] of applied.entries()) {
    const file = migrations[index]
    if (file?.name !== name) throw new MigrationError(`the database has ${name}, which is not among the files`)
    if (file.checksum !== checksum) throw new MigrationError(`${name} was changed after it had been applied`)
  }
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query('insert into public.schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    const { message, position } = error as Error & { position?: string }
    const line = position ? `, line ${sql.slice(0, Number(position)).split('\n').length}` : ''
    throw new MigrationError(`${name}${line}: ${message}`, { cause: error })
  }
}
