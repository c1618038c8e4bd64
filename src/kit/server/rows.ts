import { sql } from 'kysely'
import type { Db, Tx } from './db.ts'
import type { DB } from './schema.ts'

/** A table's columns, each with its SQL type. */
export type Columns = Readonly<Record<string, string>>

/** Many rows as one parameter, so that the text of a statement, and its plan, stay the same however many there are. */
export function rowSource(rows: readonly object[], columns: Columns) {
  const shape = Object.entries(columns).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`)
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) as fresh(${sql.join(shape)})`
}

/** Writes any number of rows with one statement. Columns left out take their defaults. */
export async function insertRows(
  tx: Db | Tx,
  table: keyof DB & string,
  columns: Columns,
  rows: readonly object[],
): Promise<void> {
  if (rows.length === 0) return
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)))
  await sql`insert into ${sql.table(table)} (${names}) select ${names} from ${rowSource(rows, columns)}`.execute(tx)
}

/** Sets the given columns of rows that are named by their id, with one statement. */
export async function updateRows(
  tx: Db | Tx,
  table: keyof DB & string,
  columns: Columns,
  rows: readonly { id: number }[],
): Promise<void> {
  if (rows.length === 0) return
  const set = Object.keys(columns).map((name) => sql`${sql.ref(name)} = ${sql.ref(`fresh.${name}`)}`)
  await sql`update ${sql.table(table)} as kept set ${sql.join(set)}
    from ${rowSource(rows, { id: 'bigint', ...columns })} where kept.id = fresh.id`.execute(tx)
}
