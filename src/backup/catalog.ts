import pg from 'pg'
import { BackupError, type Manifest } from './manifest.ts'

export interface CatalogTable {
  schema: string
  name: string
  /** Writable columns: all except generated ones. */
  columns: string[]
  isForced: boolean
}

const ours = "n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_%'"

/** Returns the quoted, schema-qualified name. */
export function quoted({ schema, name }: { schema: string; name: string }): string {
  return `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`
}

/** Lists every table that holds rows itself or through partitions; partitions themselves are not listed. */
export async function readTables(client: pg.Client): Promise<CatalogTable[]> {
  const { rows } = await client.query<CatalogTable>(`
    select n.nspname as schema, c.relname as name, c.relforcerowsecurity as "isForced",
      (select coalesce(json_agg(a.attname order by a.attnum), '[]') from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and ${ours}
    order by 1, 2`)
  return rows
}

export async function readPartitions(client: pg.Client): Promise<Manifest['partitions']> {
  const { rows } = await client.query<Manifest['partitions'][number]>(`
    select n.nspname as schema, c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
    where c.relispartition and c.relkind = 'r' and ${ours} order by 1, 2`)
  return rows
}

export async function readSequences(client: pg.Client): Promise<Manifest['sequences']> {
  const { rows } = await client.query<{ schema: string; name: string }>(`
    select n.nspname as schema, c.relname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'S' and ${ours} order by 1, 2`)
  const sequences: Manifest['sequences'] = []
  for (const row of rows) {
    const state = await client.query<{ value: string; isCalled: boolean }>(
      `select last_value::text as value, is_called as "isCalled" from ${quoted(row)}`,
    )
    sequences.push({ ...row, ...(state.rows[0] as { value: string; isCalled: boolean }) })
  }
  return sequences
}

export async function readAppliedMigrations(client: pg.Client): Promise<Manifest['migrations']> {
  const known = await client.query("select to_regclass('public.schema_migrations') is not null as known")
  if (!known.rows[0].known) return []
  return (await client.query('select name, checksum from public.schema_migrations order by name')).rows
}

/** Throws BackupError when row-level security would hide rows of a table from this role. */
export async function assertSeesAllRows(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and ${ours} and c.relrowsecurity
      and not (select rolsuper or rolbypassrls from pg_roles where rolname = current_user)
      and not (pg_has_role(current_user, c.relowner, 'usage') and not c.relforcerowsecurity)
      and not exists (select from pg_policy p where p.polrelid = c.oid and p.polpermissive and p.polcmd in ('r', '*')
        and pg_get_expr(p.polqual, p.polrelid) = 'true'
        and exists (select from unnest(p.polroles) r where r = 0 or pg_has_role(current_user, r, 'usage')))
    order by 1`)
  if (rows.length === 0) return
  const names = rows.map(({ name }) => name).join(', ')
  throw new BackupError(
    `Row-level security hides rows of ${names} from this user. Use the owner of the database, once the app has applied its migrations.`,
  )
}
