import { once } from 'node:events'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { applyMigrations, migrate } from '../platform/database/migrate.ts'
import { portableText } from './back-up.ts'
import { quoted, readAppliedMigrations, readPartitions, readTables } from './catalog.ts'
import { BackupError, type Manifest } from './manifest.ts'
import { readRows } from './read-archive.ts'

/**
 * Restores a database from an archive in one transaction: the schema by migrations, then every row. Migrations newer
 * than the archive are applied afterwards. The archive must have been checked. Throws BackupError when the database is
 * in use, or not empty and `replace` is false; it is unchanged then.
 */
export async function restore(options: {
  /** Connection string of the database owner. */
  url: string
  file: string
  manifest: Manifest
  /** Folder of the migrations. */
  directory: string
  /** Whether existing data may be removed. */
  replace: boolean
  log: (line: string) => void
}): Promise<void> {
  const { url, file, manifest, directory, log } = options
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin')
    await client.query(portableText)
    await prepare(client, options)
    await applyMigrations(client, { directory, wanted: manifest.migrations })
    await createPartitions(client, manifest)
    const restoreStatements = await disableConstraints(client)
    await loadRows(client, file, manifest, log)
    for (const { value, isCalled, ...sequence } of manifest.sequences) {
      await client.query('select setval($1::regclass, $2, $3)', [quoted(sequence), value, isCalled])
    }
    for (const statement of restoreStatements) await client.query(statement)
    await client.query('commit')
    await client.query('analyze')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    await client.end()
  }
  await migrate({ url, directory, log })
}

// The kind of a connection is hidden from an owner without the rights of its role; its role is not, and PostgreSQL's own
// processes have none.
async function prepare(client: pg.Client, { manifest, replace }: { manifest: Manifest; replace: boolean }) {
  const { rows } = await client.query<{ count: number }>(`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and usesysid is not null`)
  const others = rows[0]?.count ?? 0
  if (others > 0) throw new BackupError(`The database is in use (${others} connections). Stop the app first.`)
  const tables = await readTables(client)
  if (tables.length === 0) return
  if (!replace) {
    const known =
      (await readAppliedMigrations(client)).length > 0 ? 'holds an installation' : `holds ${tables.length} tables`
    throw new BackupError(`The database ${known}. Use --replace to remove its data first.`)
  }
  if (manifest.tables.length === 0) throw new BackupError('The backup has no tables.')
  const schemas = await client.query<{ name: string }>(`
    select nspname as name from pg_namespace
    where nspname <> 'information_schema' and nspname not like 'pg\\_%' order by 1`)
  for (const { name } of schemas.rows) await client.query(`drop schema ${pg.escapeIdentifier(name)} cascade`)
  await client.query('create schema public; grant usage on schema public to public')
}

// Partitions created over time are not in the migrations; those created by migrations may cover other dates.
async function createPartitions(client: pg.Client, { partitions }: Manifest): Promise<void> {
  const wanted = new Map(partitions.map((each) => [quoted(each), each]))
  for (const existing of await readPartitions(client)) {
    if (wanted.get(quoted(existing))?.bound === existing.bound) wanted.delete(quoted(existing))
    else await client.query(`drop table ${quoted(existing)}`)
  }
  for (const each of wanted.values()) {
    if (!/^FOR VALUES FROM \('[^']*'\) TO \('[^']*'\)$/.test(each.bound)) {
      throw new BackupError(`The backup has a table of an unknown kind: ${each.name} ${each.bound}`)
    }
    const parent = quoted({ schema: each.schema, name: each.parent })
    await client.query(`create table ${quoted(each)} partition of ${parent} ${each.bound}`)
    const { rows } = await client.query('select relforcerowsecurity as forced from pg_class where oid = $1::regclass', [
      parent,
    ])
    // The partitions of the job queue's statistics belong to no program.
    if (rows[0]?.forced) await client.query('call enable_tenant_isolation($1)', [quoted(each)])
  }
}

/**
 * Disables what would reject or change rows loaded table by table: foreign keys, triggers, and row-level security for
 * the owner. Returns the statements that enable it again; foreign keys are then checked for all rows.
 */
async function disableConstraints(client: pg.Client): Promise<string[]> {
  const restoreStatements: string[] = []
  const keys = await client.query<{ owner: string; name: string; definition: string }>(`
    select conrelid::regclass::text as owner, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conparentid = 0 order by 1, 2`)
  for (const { owner, name, definition } of keys.rows) {
    await client.query(`alter table ${owner} drop constraint ${name}`)
    restoreStatements.push(`alter table ${owner} add constraint ${name} ${definition}`)
  }
  for (const table of await readTables(client)) {
    await client.query(`alter table ${quoted(table)} disable trigger user`)
    restoreStatements.push(`alter table ${quoted(table)} enable trigger user`)
    if (!table.isForced) continue
    await client.query(`alter table ${quoted(table)} no force row level security`)
    restoreStatements.push(`alter table ${quoted(table)} force row level security`)
  }
  return restoreStatements
}

async function loadRows(client: pg.Client, file: string, manifest: Manifest, log: (line: string) => void) {
  const existing = new Set((await readTables(client)).map(quoted))
  const missing = manifest.tables.filter((table) => !existing.has(quoted(table)))
  if (missing.length > 0) throw new BackupError(`No migration creates ${missing.map(quoted).join(', ')}.`)
  await client.query(`truncate ${[...existing].join(', ')}`)
  await readRows(file, manifest, async (table, text) => {
    const columns = table.columns.map(pg.escapeIdentifier).join(', ')
    const stream = client.query(copyFrom(`copy ${quoted(table)} (${columns}) from stdin`))
    const failed = once(stream, 'finish')
    failed.catch(() => {})
    for await (const part of text) if (!stream.write(part)) await Promise.race([once(stream, 'drain'), failed])
    stream.end()
    await failed
    if (stream.rowCount !== table.rows) {
      throw new BackupError(`${quoted(table)}: ${stream.rowCount} of ${table.rows} rows were loaded.`)
    }
    if (table.rows > 0) log(`${table.schema}.${table.name}: ${table.rows} rows`)
  })
}
