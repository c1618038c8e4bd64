import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from './db.ts'
import type { DB } from './schema.ts'

/** A table's columns, each with its SQL type; no arrays. */
export type Columns = Readonly<Record<string, string>>

/** What a table's columns are as SQL; written out once, as they are asked for with every batch. */
interface Written {
  names: RawBuilder<unknown>
  /** `"name" = "fresh"."name", ...` */
  set: RawBuilder<unknown>
  /** The source of rows, and what makes its parameters of them, which stand between its pieces. */
  source: { pieces: TemplateStringsArray; parameters: readonly ((rows: readonly Row[]) => string)[] }
}

type Row = Readonly<Record<string, unknown>>

const written = new WeakMap<Columns, Written>()

function writtenOut(columns: Columns): Written {
  const known = written.get(columns)
  if (known) return known
  // Names and types stand in our own code.
  const list = (part: (name: string) => string) => sql.raw(Object.keys(columns).map(part).join(', '))
  const fresh = {
    names: list((name) => `"${name}"`),
    set: list((name) => `"${name}" = "fresh"."${name}"`),
    source: sourceOf(columns),
  }
  written.set(columns, fresh)
  return fresh
}

/** Plain columns travel as an array each, and JSON as one text of all its values. */
function sourceOf(columns: Columns): Written['source'] {
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
 * Many rows as one parameter a column, so that the text of a statement, and its plan, stay the same however many there
 * are. Where a name is missing its column is null; JSON columns are never null.
 */
export function rowSource(rows: readonly object[], columns: Columns): RawBuilder<unknown> {
  const { pieces, parameters } = writtenOut(columns).source
  return sql(pieces, ...parameters.map((of) => of(rows as readonly Row[])))
}

/** A column as PostgreSQL's text of an array. */
function arrayText(rows: readonly Row[], name: string, write: (value: unknown) => string): string {
  return `{${rows.map(({ [name]: value }) => (value == null ? 'NULL' : write(value))).join(',')}}`
}

function writerOf(type: string): (value: unknown) => string {
  if (type === 'text') return (value) => `"${String(value).replace(/["\\]/g, '\\$&')}"`
  return type === 'timestamptz' ? (value) => (value as Date).toISOString() : String
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
  // The ids are named once more: how many rows a source has the planner cannot know, and it may read the whole table.
  const ids = rows.map(({ id }) => id)
  await sql`update ${sql.table(table)} as kept set ${writtenOut(columns).set}
    from ${rowSource(rows, withId(columns))} where kept.id = fresh.id and kept.id = any(${ids})`.execute(tx)
}

const withIds = new WeakMap<Columns, Columns>()

function withId(columns: Columns): Columns {
  const known = withIds.get(columns) ?? { id: 'bigint', ...columns }
  withIds.set(columns, known)
  return known
}
