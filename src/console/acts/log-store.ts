import { sql } from 'kysely'
import { actionsNamed } from '../../console-kit/act-words.ts'
import { isNamed } from '../../identity/members/service.ts'
import type { Db } from '../../platform/database/db.ts'
import { type List, listPage, type Order, type PageRequest, readPages } from '../../platform/database/keyset.ts'
import { beginningWith, contains } from '../../platform/database/text-match.ts'
import type { ActFilters } from './schemas.ts'

/** The entries that an operator may read: those of programs, and perhaps those of the installation. */
export interface ActScope {
  programs: readonly string[]
  withInstallation: boolean
  /** In which the days of a filter begin and end. */
  timeZone: string
}

export interface StoredAct {
  id: number
  at: Date
  operatorName: string
  operatorId: number
  action: string
  program: string | null
  objectType: string
  objectId: string
  objectLabel: string
  reason: string
  status: number
  isAsked: boolean
  before: Record<string, unknown>
  after: Record<string, unknown>
  address: string
  requestId: string
  memberId: number | null
  hash: Buffer
}

/** Entries are chained in the order of their ids. */
const latestFirst: Order = { by: sql`a.id`, type: 'bigint', id: sql`a.id`, direction: 'desc' }

/** An act that made a request for a second person has its id. */
const isAsked = sql`(a.after -> 'approval') is not null`

const columns = sql`a.id, a.at, a.operator_name as "operatorName", a.operator_id as "operatorId", a.action,
  a.partner_id as program, a.object_type as "objectType", a.object_id as "objectId", a.object_label as "objectLabel",
  a.reason, a.status, ${isAsked} as "isAsked", a.before, a.after, a.address, a.request_id as "requestId", a.member_id as "memberId", a.hash`

const isInScope = ({ programs, withInstallation }: ActScope) =>
  withInstallation
    ? sql`(a.partner_id is null or a.partner_id = any(${[...programs]}))`
    : programs.length === 1
      ? // The index by program gives the order, too.
        sql`a.partner_id = ${programs[0]}`
      : sql`a.partner_id = any(${[...programs]})`

/** What a text of the filter by object may mean, beside an id and the beginning of a label. */
export interface Meant {
  types: readonly string[]
  /** Internal ids of members. */
  members: readonly number[]
}

function matches(
  { operator, action, object, from, to, outcome }: ActFilters,
  timeZone: string,
  { types, members }: Meant,
) {
  const conditions = [sql`true`]
  if (operator) {
    // There are few operators, and many entries.
    conditions.push(sql`a.operator_id = any(array(
      select o.id from console.operators o where ${contains(sql`o.name`, operator)} or ${contains(sql`o.email`, operator)}))`)
  }
  if (action) conditions.push(sql`a.action = any(${[...new Set([action, ...actionsNamed(action)])]})`)
  const text = (object ?? '').trim()
  const [type = '', id] = text.split(/\s+/, 2)
  if (text !== '')
    conditions.push(sql`(a.object_type = any(${[...types]}) or a.object_id = ${text}
      or (a.object_type = ${type} and a.object_id = ${id ?? ''})
      or (a.object_label <> '' and lower(a.object_label) like ${beginningWith(text)})
      or (a.partner_id is not null and a.member_id = any(${[...members]}::bigint[])))`)
  if (from) conditions.push(sql`a.at >= ${from}::date::timestamp at time zone ${timeZone}`)
  if (to) conditions.push(sql`a.at < (${to}::date + 1)::timestamp at time zone ${timeZone}`)
  if (outcome === 'done') conditions.push(sql`a.status < 400 and not ${isAsked}`)
  if (outcome === 'asked') conditions.push(sql`a.status < 400 and ${isAsked}`)
  if (outcome === 'refused') conditions.push(sql`a.status >= 400`)
  return sql.join(conditions, sql` and `)
}

const listOf = (scope: ActScope, meant: Meant, filters: ActFilters): List => ({
  columns,
  from: sql`console.acts a`,
  where: sql`${isInScope(scope)} and ${matches(filters, scope.timeZone, meant)}`,
  order: latestFirst,
})

/** Returns one page of entries, the latest first, and how many there are. */
export const listActs = (
  db: Db,
  scope: ActScope,
  meant: Meant,
  { cursor, limit, ...filters }: ActFilters & PageRequest,
) => listPage<StoredAct>(db, listOf(scope, meant, filters), { cursor, limit })

/** Yields all entries, the latest first, a thousand at a time. */
export const readActs = (db: Db, scope: ActScope, meant: Meant, filters: ActFilters) =>
  readPages<StoredAct>(db, listOf(scope, meant, filters))

export async function findAct(db: Db, scope: ActScope, id: number): Promise<StoredAct | undefined> {
  const { rows } = await sql<StoredAct>`
    select ${columns} from console.acts a where a.id = ${id} and ${isInScope(scope)}`.execute(db)
  return rows[0]
}

/** Returns the ids of members of the program that `db` is bound to, by email address, member number or public id. */
export async function findMemberIds(db: Db, text: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from members where partner_id = current_partner() and ${isNamed(sql`id`, text)}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the public id of a member of the program that `db` is bound to. */
export async function findMemberPublicId(db: Db, memberId: number): Promise<string | null> {
  const row = await db.selectFrom('members').select('public_id').where('id', '=', memberId).executeTakeFirst()
  return row?.public_id ?? null
}
