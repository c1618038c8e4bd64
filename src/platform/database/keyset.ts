import { type RawBuilder, sql } from 'kysely'
import { ValidationError } from '../errors.ts'
import { isStorable } from '../text.ts'
import { isDay } from '../time.ts'
import type { Db, Tx } from './db.ts'

/** A value by which a list is ordered. */
type Key = string | number | null

/** What a list is ordered by: an expression that is never null, and then the id, in the same direction. */
export interface Order {
  by: RawBuilder<unknown>
  /** The PostgreSQL type of `by`, for the values of cursors. */
  type: 'timestamptz' | 'date' | 'bigint' | 'text' | 'numeric'
  id: RawBuilder<unknown>
  /** The PostgreSQL type of `id`; a number where it is absent. */
  idType?: 'uuid'
  direction: 'asc' | 'desc'
}

/** A list: what is read of each row, of which rows, and their order. */
export interface List {
  columns: RawBuilder<unknown>
  /** `transactions t`, with the joins that the condition needs. */
  from: RawBuilder<unknown>
  /** Joins for the columns only, which leave the number of rows as it is: rows are counted without them. */
  joins?: RawBuilder<unknown>
  where: RawBuilder<unknown>
  order: Order
}

/** Which page of a list. */
export interface PageRequest {
  /** `next` of the page before. */
  cursor?: string | undefined
  limit: number
}

/** Returns whether PostgreSQL writes a moment so: `2026-11-27 18:33:35.939326+00`. */
export function isWrittenMoment(text: string): boolean {
  const [, day = ''] =
    /^(\S{10}) ([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?[+-](0\d|1[0-5])(:[0-5]\d)?$/.exec(text) ?? []
  return isDay(day)
}

/** How PostgreSQL writes the values of each type: it refuses others. */
const isWritten: Readonly<Record<Order['type'], (text: string) => boolean>> = {
  timestamptz: isWrittenMoment,
  date: isDay,
  bigint: (text) => /^-?\d{1,18}$/.test(text),
  numeric: (text) => /^-?\d{1,30}(\.\d{1,30})?$/.test(text),
  text: isStorable,
}

const invalidCursor = () => new ValidationError([{ field: 'cursor', message: 'validation.check' }])

/** Returns the condition for what follows the entry of a cursor; true without one. Throws ValidationError on others. */
export function afterCursor(
  { by, type, id, idType, direction }: Order,
  cursor: string | undefined,
): RawBuilder<boolean> {
  if (cursor === undefined) return sql<boolean>`true`
  const [value, last] = readCursor(cursor, idType)
  if (!isWritten[type](value)) throw invalidCursor()
  const than = sql.raw(direction === 'asc' ? '>' : '<')
  return sql<boolean>`(${by}, ${id}) ${than} (${value}::${sql.raw(type)}, ${last}::${sql.raw(idType ?? 'bigint')})`
}

/** Returns the `order by` list of an order. */
export const orderBy = ({ by, id, direction }: Order) => sql`${by} ${sql.raw(direction)}, ${id} ${sql.raw(direction)}`

/** The columns that a query selects for the cursor: the key as exact text, and the id. */
export const cursorColumns = ({ by, id }: Order) => sql`(${by})::text as "cursorKey", ${id} as "cursorId"`

export interface CursorRow {
  cursorKey: string
  cursorId: number | string
}

/** Cuts rows, of which one more than `limit` was read, to a page. */
export function toPage<Row extends CursorRow>(
  rows: readonly Row[],
  limit: number,
): { rows: Row[]; next: string | null } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { rows: page, next: rows.length > limit && last ? writeCursor([last.cursorKey, last.cursorId]) : null }
}

const writeCursor = (keys: readonly Key[]) => Buffer.from(JSON.stringify(keys)).toString('base64url')

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Returns the key and the id of a cursor; an id of text is not checked. Throws ValidationError on another cursor. */
export function readCursor(cursor: string, idType?: 'uuid' | 'text'): [string, Key] {
  try {
    const keys = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown
    if (Array.isArray(keys) && typeof keys[0] === 'string') {
      const isText = typeof keys[1] === 'string' && (idType === 'text' || (idType === 'uuid' && uuid.test(keys[1])))
      const isId = idType === undefined ? Number.isSafeInteger(keys[1]) : isText
      if (isId) return [keys[0], keys[1]]
    }
  } catch {
    // Reported below.
  }
  throw invalidCursor()
}

/** Returns one page of a list. */
export async function readPage<Row>(
  db: Db | Tx,
  { columns, from, joins = sql``, where, order }: List,
  { cursor, limit }: PageRequest,
): Promise<{ rows: Row[]; next: string | null }> {
  const { rows } = await sql<Row & CursorRow>`
    select ${columns}, ${cursorColumns(order)} from ${from} ${joins} where ${where} and ${afterCursor(order, cursor)}
    order by ${orderBy(order)} limit ${limit + 1}`.execute(db)
  return toPage(rows, limit)
}

/** Returns one page of a list, and how many rows there are. */
export async function listPage<Row>(db: Db, list: List, request: PageRequest) {
  const [page, total] = await Promise.all([
    readPage<Row>(db, list, request),
    countRows(db, sql`from ${list.from} where ${list.where}`),
  ])
  return { ...page, total }
}

/** Yields all rows of a list, for a file that is sent while it is read. */
export async function* readPages<Row>(db: Db, list: List, limit = 1_000): AsyncGenerator<Row[]> {
  for (let cursor: string | undefined; ; ) {
    const { rows, next } = await readPage<Row>(db, list, { cursor, limit })
    yield rows
    if (next === null) return
    cursor = next
  }
}

/** Rows that are counted exactly; more are estimated, because counting millions takes seconds. */
const exactUpTo = 10_000

/** Returns how many rows a query (`from … where …`) has: exactly up to 10,000, above that the planner's estimate. */
export async function countRows(db: Db, from: RawBuilder<unknown>): Promise<{ count: number; isExact: boolean }> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select 1 ${from} limit ${exactUpTo + 1}) counted`.execute(db)
  const count = rows[0]?.count ?? 0
  if (count <= exactUpTo) return { count, isExact: true }
  const plan = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    explain (format json) select 1 ${from}`.execute(db)
  return { count: Math.max(plan.rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0, count), isExact: false }
}
