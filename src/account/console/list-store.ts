import { type RawBuilder, sql } from 'kysely'
import { isMeant, waysToFind } from '../../identity/members/service.ts'
import type { Db } from '../../platform/database/db.ts'
import { countRows, type PageRequest, readPage } from '../../platform/database/keyset.ts'

export interface MemberFilter extends PageRequest {
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
}

export interface ListedMember {
  id: number
  publicId: string
  firstName: string
  lastName: string
  email: string
  partnerNumber: string | null
  tierLevel: string
  memberType: string
  active: boolean
  isMerged: boolean
  emailOptIn: boolean
  joinedAt: Date
  lastDinedAt: Date | null
  lastFours: string[]
  tags: string[]
}

// A subquery for one value is one look-up for each member, however many transactions others have.
const lastDinedAt = sql<Date | null>`(select t.occurred_at from transactions t
  where t.member_id = m.id and t.type_code = 'S' order by t.occurred_at desc, t.id desc limit 1)`
/** Returns whether a member has a meal in a span; a join, so that the planner can begin with the meals of a short one. */
const dinedIn = (span: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from transactions t where t.member_id = m.id and t.type_code = 'S' and ${span})`
const hasLinkedCard = sql<boolean>`exists (select from cards c where c.member_id = m.id and c.removed_at is null)`
const isOrNot = (condition: RawBuilder<boolean>, is: boolean) => (is ? condition : sql<boolean>`not ${condition}`)

const within = (from: Date | undefined, before: Date | undefined) =>
  sql`${from ? sql`t.occurred_at >= ${from}` : sql`true`} and ${before ? sql`t.occurred_at < ${before}` : sql`true`}`

function conditionsOf(filter: MemberFilter): RawBuilder<unknown> {
  const {
    text = '',
    tier,
    type,
    joinedFrom,
    joinedBefore,
    dinedFrom,
    dinedBefore,
    hasDined,
    hasCard,
    emailConsent,
    tag,
  } = filter
  const conditions = [
    sql`m.deleted_at is null`,
    ...(text.trim() === '' ? [] : [isMeant(sql`m.id`, text)]),
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
export const listMembers = (db: Db, filter: MemberFilter) =>
  readPage<ListedMember>(
    db,
    {
      columns: sql`m.id, m.public_id as "publicId", m.first_name as "firstName", m.last_name as "lastName", m.email,
        m.partner_number as "partnerNumber", m.tier_level as "tierLevel", m.member_type as "memberType", m.active,
        m.merged_into_id is not null as "isMerged", m.email_opt_in as "emailOptIn", m.joined_at as "joinedAt", ${lastDinedAt} as "lastDinedAt",
        array(select c.last_four from cards c where c.member_id = m.id and c.removed_at is null order by c.linked_at) as "lastFours",
        array(select g.tag from member_tags g where g.member_id = m.id order by g.tag) as tags`,
      from: sql`members m`,
      where: conditionsOf(filter),
      order: { by: sql`m.joined_at`, type: 'timestamptz', id: sql`m.id`, direction: filter.direction },
    },
    filter,
  )

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
  const ways = waysToFind(text).map(
    ({ from, where, order }) => sql`(select member_id from ${from} where ${where} order by ${order} limit ${limit})`,
  )
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
