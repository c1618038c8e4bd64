import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import {
  afterCursor,
  type CursorRow,
  countRows,
  cursorColumns,
  type Order,
  orderBy,
  toPage,
} from '../../platform/database/keyset.ts'
import { termsOf } from './search-terms.ts'

export interface MemberFilter {
  text?: string | undefined
  tier?: string | undefined
  type?: string | undefined
  /** Moments: from the first, before the second. */
  joinedFrom?: Date | undefined
  joinedBefore?: Date | undefined
  dinedFrom?: Date | undefined
  dinedBefore?: Date | undefined
  hasDined?: boolean | undefined
  hasCard?: boolean | undefined
  emailConsent?: boolean | undefined
  tag?: string | undefined
  direction: 'asc' | 'desc'
  cursor?: string | undefined
  limit: number
}

export interface ListedMember extends CursorRow {
  id: number
  publicId: string
  firstName: string
  lastName: string
  email: string
  partnerNumber: string | null
  tierLevel: string
  memberType: string
  active: boolean
  emailOptIn: boolean
  joinedAt: Date
  lastDinedAt: Date | null
  lastFours: string[]
  tags: string[]
}

/** The character after every other one: the end of the terms that begin with a text. */
const lastCharacter = '\u{10ffff}'

// A subquery for one value is one look-up for each member, however many transactions others have.
const lastDinedAt = sql<Date | null>`(select t.occurred_at from transactions t
  where t.member_id = m.id and t.type_code = 'S' order by t.occurred_at desc, t.id desc limit 1)`
/** Returns whether a member has a meal in a span; a join, so that the planner can begin with the meals of a short one. */
const dinedIn = (span: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from transactions t where t.member_id = m.id and t.type_code = 'S' and ${span})`
const hasLinkedCard = sql<boolean>`exists (select from cards c where c.member_id = m.id and c.removed_at is null)`
const isOrNot = (condition: RawBuilder<boolean>, is: boolean) => (is ? condition : sql<boolean>`not ${condition}`)

/** Returns the condition for what a member is found by; true without a text. */
function matches(text = ''): RawBuilder<boolean> {
  if (text.trim() === '') return sql<boolean>`true`
  const { beginnings, lastFour } = termsOf(text)
  if (beginnings.length === 0) return sql<boolean>`false`
  const ways = [
    ...beginnings.map(
      (term) => sql`select member_id from member_terms where term >= ${term} and term < ${term + lastCharacter}`,
    ),
    ...(lastFour ? [sql`select member_id from cards where last_four = ${lastFour}`] : []),
  ]
  return sql<boolean>`m.id in (${sql.join(ways, sql` union `)})`
}

const within = (from: Date | undefined, before: Date | undefined) =>
  sql`${from ? sql`t.occurred_at >= ${from}` : sql`true`} and ${before ? sql`t.occurred_at < ${before}` : sql`true`}`

function conditionsOf(filter: MemberFilter): RawBuilder<unknown> {
  const { text, tier, type, joinedFrom, joinedBefore, dinedFrom, dinedBefore, hasDined, hasCard, emailConsent, tag } =
    filter
  const conditions = [
    sql`m.deleted_at is null`,
    matches(text),
    ...(tier ? [sql`m.tier_level = ${tier}`] : []),
    ...(type ? [sql`m.member_type = ${type}`] : []),
    ...(joinedFrom ? [sql`m.joined_at >= ${joinedFrom}`] : []),
    ...(joinedBefore ? [sql`m.joined_at < ${joinedBefore}`] : []),
    // The last meal is in a span: one is, and none is later.
    ...(dinedFrom || dinedBefore ? [dinedIn(within(dinedFrom, dinedBefore))] : []),
    ...(dinedBefore ? [sql`not ${dinedIn(within(dinedBefore, undefined))}`] : []),
    ...(hasDined === undefined ? [] : [isOrNot(dinedIn(sql`true`), hasDined)]),
    ...(hasCard === undefined ? [] : [isOrNot(hasLinkedCard, hasCard)]),
    ...(emailConsent === undefined ? [] : [sql`m.email_opt_in = ${emailConsent}`]),
    ...(tag ? [sql`m.id in (select member_id from member_tags where tag = ${tag})`] : []),
  ]
  return sql.join(conditions, sql` and `)
}

/** Returns one page of the members of a program. */
export async function listMembers(db: Db, filter: MemberFilter) {
  const order: Order = { by: sql`m.joined_at`, type: 'timestamptz', id: sql`m.id`, direction: filter.direction }
  const { rows } = await sql<ListedMember>`
    select m.id, m.public_id as "publicId", m.first_name as "firstName", m.last_name as "lastName", m.email,
      m.partner_number as "partnerNumber", m.tier_level as "tierLevel", m.member_type as "memberType", m.active,
      m.email_opt_in as "emailOptIn", m.joined_at as "joinedAt", ${lastDinedAt} as "lastDinedAt",
      array(select c.last_four from cards c where c.member_id = m.id and c.removed_at is null order by c.linked_at) as "lastFours",
      array(select g.tag from member_tags g where g.member_id = m.id order by g.tag) as tags, ${cursorColumns(order)}
    from members m where ${conditionsOf(filter)} and ${afterCursor(order, filter.cursor)}
    order by ${orderBy(order)} limit ${filter.limit + 1}`.execute(db)
  return toPage(rows, filter.limit)
}

interface FoundMember {
  publicId: string
  firstName: string
  lastName: string
  email: string
  partnerNumber: string | null
  memberType: string
  lastFours: string[]
}

/**
 * Returns a few members that a text means. Each way to find one is cut before it is read, so that a text with which many
 * names begin costs no more.
 */
export async function findFewMembers(db: Db, text: string, limit: number): Promise<FoundMember[]> {
  const { beginnings, lastFour } = termsOf(text)
  const ways = [
    ...beginnings.map(
      (term) => sql`(select member_id from member_terms where term >= ${term} and term < ${term + lastCharacter}
        order by term limit ${limit})`,
    ),
    ...(lastFour
      ? [sql`(select member_id from cards where last_four = ${lastFour} and removed_at is null limit ${limit})`]
      : []),
  ]
  if (ways.length === 0) return []
  const { rows } = await sql<FoundMember>`
    select m.public_id as "publicId", m.first_name as "firstName", m.last_name as "lastName", m.email,
      m.partner_number as "partnerNumber", m.member_type as "memberType",
      array(select c.last_four from cards c where c.member_id = m.id and c.removed_at is null order by c.linked_at) as "lastFours"
    from members m where m.id in (${sql.join(ways, sql` union `)}) and m.deleted_at is null
    order by m.last_name, m.first_name, m.id limit ${limit}`.execute(db)
  return rows
}

/** Returns how many members a filter finds. */
export const countMembers = (db: Db, filter: MemberFilter) =>
  countRows(db, sql`from members m where ${conditionsOf(filter)}`)

/** Returns the tags that a program uses. */
export async function listTags(db: Db): Promise<string[]> {
  // One look-up for each tag, however many members have it.
  const { rows } = await sql<{ tag: string }>`
    with recursive tags as (
      (select tag from member_tags order by tag limit 1)
      union all
      select (select g.tag from member_tags g where g.tag > tags.tag order by g.tag limit 1) from tags where tags.tag is not null
    )
    select tag from tags where tag is not null limit 500`.execute(db)
  return rows.map(({ tag }) => tag)
}
