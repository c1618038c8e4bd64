import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import type { MemberTable } from '../../platform/manifest.ts'

const maxRows = 100_000

/** Columns with the time at which a row came about; the first one that a table has counts. */
const times = [
  'created_at',
  'joined_at',
  'linked_at',
  'given_at',
  'occurred_at',
  'completed_at',
  'offered_at',
  'opened_at',
  'happened_at',
  'at',
]
const writtenAt = sql.join(times.map((name) => sql`row ->> ${name}`))

/** Returns the rows of a table of a member's accounts as JSON, oldest first, without secret columns and the partner column. */
export async function listMemberRows(
  db: Db,
  { table, secret = [], secretWhile }: MemberTable,
  accounts: readonly number[],
): Promise<Record<string, unknown>[]> {
  const owner = sql.ref(table === 'members' ? 'id' : 'member_id')
  const hidden = [...secret, 'partner_id']
  const hiddenNow = secretWhile
    ? sql`case when t.${sql.ref(secretWhile.column)} is null then '{}' else ${secretWhile.hides}::text[] end`
    : sql`'{}'::text[]`
  // Rows of the same time have an order of their own, so that two exports of the same data are equal.
  const { rows } = await sql<{ row: Record<string, unknown> }>`
    select row from (
      select to_jsonb(t) - ${hidden}::text[] - ${hiddenNow} as row from ${sql.table(table)} t where ${owner} = any(${accounts})
    ) rows
    order by coalesce(${writtenAt}), row
    limit ${maxRows}`.execute(db)
  return rows.map(({ row }) => row)
}

/** Returns the tables with member rows, from the database catalog. */
export async function tablesWithMembers(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    join pg_namespace n on n.oid = c.relnamespace
    where a.attname = 'member_id' and c.relkind in ('r', 'p') and not c.relispartition and n.nspname = 'public'
    order by 1`.execute(db)
  return rows.map(({ name }) => name)
}
