import { type RawBuilder, sql } from 'kysely'
import type { DB } from '../../../db/schema.ts'
import type { Db, Tx } from './db.ts'

/** Columns of a table with their SQL types; no arrays. */
export type Columns = Readonly<Record<string, string>>

/** Columns as SQL fragments; built once because every batch uses them. */
interface SqlFragments {
  names: RawBuilder<unknown>
  /** `"name" = "fresh"."name", ...` */
  set: RawBuilder<unknown>
  /** The row source, split at its parameters, and the functions that build the parameters from the rows. */
  source: { pieces: TemplateStringsArray; parameters: readonly ((rows: readonly Row[]) => string)[] }
}

type Row = Readonly<Record<string, unknown>>

const fragmentCache = new WeakMap<Columns, SqlFragments>()

function fragmentsOf(columns: Columns): SqlFragments {
  const known = fragmentCache.get(columns)
  if (known) return known
  // Names and types come from our own code.
  const list = (part: (name: string) => string) => sql.raw(Object.keys(columns).map(part).join(', '))
  const fragments = {
    names: list((name) => `"${name}"`),
    set: list((name) => `"${name}" = "fresh"."${name}"`),
    source: sourceOf(columns),
  }
  fragmentCache.set(columns, fragments)
  return fragments
}

/** Plain columns are sent as one array each, JSON columns as one JSON text of all values. */
function sourceOf(columns: Columns): SqlFragments['source'] {
  const isJson = ([, type]: [string, string]) => type === 'json' || type === 'jsonb'
  const all = Object.entries(columns)
  const json = all.filter(isJson)
  const plain = all.filter((column) => !isJson(column))
  const ends = [
    ...plain.map(([, type], at) => `::${type}[]${at + 1 < plain.length ? ', ' : ')'}`),
    ...json.map(() => ')'),
  ]
  const begins = [
    'rows from (unnest(',
    ...plain.slice(1).map(() => ''),
    ...json.map(([, type]) => `, ${type}_array_elements(`),
  ]
  const names = [...plain, ...json].map(([name]) => `"${name}"`).join(', ')
  const pieces = [...begins.map((begin, at) => `${ends[at - 1] ?? ''}${begin}`), `${ends.at(-1)}) as fresh(${names})`]
  return {
    pieces: Object.assign(pieces, { raw: pieces }),
    parameters: [
      ...plain.map(([name, type]) => {
        const write = writerOf(type)
        return (rows: readonly Row[]) => arrayText(rows, name, write)
      }),
      ...json.map(
        ([name]) =>
          (rows: readonly Row[]) =>
            JSON.stringify(rows.map((row) => row[name])),
      ),
    ],
  }
}

/**
 * Returns many rows as one parameter per column, so that the statement text and its plan do not depend on the number of
 * rows. Missing values are null; JSON columns are never null.
 */
export function rowSource(rows: readonly object[], columns: Columns): RawBuilder<unknown> {
  const { pieces, parameters } = fragmentsOf(columns).source
  return sql(pieces, ...parameters.map((of) => of(rows as readonly Row[])))
}

/** Returns a column as a PostgreSQL array literal. */
function arrayText(rows: readonly Row[], name: string, write: (value: unknown) => string): string {
  return `{${rows.map(({ [name]: value }) => (value == null ? 'NULL' : write(value))).join(',')}}`
}

function writerOf(type: string): (value: unknown) => string {
  if (type === 'text') return (value) => `"${String(value).replace(/["\\]/g, '\\$&')}"`
  return type === 'timestamptz' ? (value) => (value as Date).toISOString() : String
}

/** Inserts any number of rows with one statement. Omitted columns get their defaults. */
export async function insertRows(
  tx: Db | Tx,
  table: keyof DB & string,
  columns: Columns,
  rows: readonly object[],
): Promise<void> {
  if (rows.length === 0) return
  const { names } = fragmentsOf(columns)
  await sql`insert into ${sql.table(table)} (${names}) select ${names} from ${rowSource(rows, columns)}`.execute(tx)
}

/** Updates the given columns of rows by id, with one statement. */
export async function updateRows(
  tx: Db | Tx,
  table: keyof DB & string,
  columns: Columns,
  rows: readonly { id: number }[],
): Promise<void> {
  if (rows.length === 0) return
  // The ids are repeated: the planner cannot estimate the rows of the source and might scan the whole table.
  const ids = rows.map(({ id }) => id)
  await sql`update ${sql.table(table)} as stored set ${fragmentsOf(columns).set}
    from ${rowSource(rows, withId(columns))} where stored.id = fresh.id and stored.id = any(${ids})`.execute(tx)
}

const withIds = new WeakMap<Columns, Columns>()

function withId(columns: Columns): Columns {
  const known = withIds.get(columns) ?? { id: 'bigint', ...columns }
  withIds.set(columns, known)
  return known
}
