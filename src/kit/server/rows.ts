import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from './db.ts'
import type { DB } from './schema.ts'

/** A table's columns, each with its SQL type. */
export type Columns = Readonly<Record<string, string>>

/** What a table's columns are as SQL; written out once, as they are asked for with every batch. */
interface Written {
  names: RawBuilder<unknown>
  /** `"name" type, ...` */
  shape: RawBuilder<unknown>
  /** `"name" = "fresh"."name", ...` */
  set: RawBuilder<unknown>
}

const written = new WeakMap<Columns, Written>()

function writtenOut(columns: Columns): Written {
  const known = written.get(columns)
  if (known) return known
  // Names and types stand in our own code.
  const each = (part: (name: string, type: string) => string) =>
    sql.raw(
      Object.entries(columns)
        .map(([name, type]) => part(`"${name}"`, type))
        .join(', '),
    )
  const fresh = {
    names: each((name) => name),
    shape: each((name, type) => `${name} ${type}`),
    set: each((name) => `${name} = "fresh".${name}`),
  }
  written.set(columns, fresh)
  return fresh
}

/** Many rows as one parameter, so that the text of a statement, and its plan, stay the same however many there are. */
export function rowSource(rows: readonly object[], columns: Columns) {
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) as fresh(${writtenOut(columns).shape})`
}

/** Writes any number of rows with one statement. Columns left out take their defaults. */
export async function insertRows(
  tx: Db | Tx,
  table: keyof DB & string,
  columns: Columns,
  rows: readonly object[],
): Promise<void> {
  if (rows.length === 0) return
  const { names } = writtenOut(columns)
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
  // The ids are named once more: how many rows a record set has the planner cannot know, and it may read the whole table.
  const ids = rows.map(({ id }) => id)
  await sql`update ${sql.table(table)} as kept set ${writtenOut(columns).set}
    from json_to_recordset(${JSON.stringify(rows)}::json) as fresh("id" bigint, ${writtenOut(columns).shape})
    where kept.id = fresh.id and kept.id = any(${ids})`.execute(tx)
}
