import { type RawBuilder, sql } from 'kysely'
import { isRestaurantMeant } from '../../../dining/merchants/service.ts'
import { isNamed } from '../../../identity/members/service.ts'
import type { Db } from '../../../platform/database/db.ts'
import { type List, listPage, type Order, type PageRequest, readPages } from '../../../platform/database/keyset.ts'
import { centsFromDecimal, type SoughtAmount } from '../../../platform/money.ts'
import type { RewardUnit } from '../../earning/terms.ts'
import type { Account, Entry } from '../entries.ts'

export interface JournalFilter {
  q?: string | undefined
  member?: string | undefined
  restaurant?: string | undefined
  account: 'any' | Account
  source: 'any' | Entry['source']
  /** As it is typed: dollars, or a whole number of any unit. */
  amount?: SoughtAmount | undefined
  from?: string | undefined
  to?: string | undefined
}

export interface PostingRow {
  account: Account
  unit: RewardUnit
  amount: number
}

export interface EntryRow {
  id: number
  postedAt: Date
  source: Entry['source']
  sourceId: string
  kind: string
  memberId: string | null
  memberName: string | null
  postings: PostingRow[]
}

const byTime: Order = { by: sql`j.posted_at`, type: 'timestamptz', id: sql`j.id`, direction: 'desc' }
const sources: readonly Entry['source'][] = [
  'transaction',
  'statement-credit',
  'adjustment',
  'debt',
  'payment',
  'merge',
]

/** The order in which accounts are shown. */
export const accounts: readonly Account[] = [
  'member',
  'program',
  'payout',
  'debt',
  'restaurant',
  'partner',
  'platform',
  'bank',
]

const byAccount = sql`array_position(${accounts}::text[], p.account), p.id`

const memberOf = sql`left join lateral (
    select m.public_id, trim(m.first_name || ' ' || m.last_name) as name
    from postings p join members m on m.partner_id = p.partner_id and m.id = p.member_id
    where p.journal_entry_id = j.id and p.member_id is not null order by p.id limit 1) m on true`

const columns = sql`j.id, j.posted_at as "postedAt", j.source, j.source_id as "sourceId", j.kind,
  m.public_id as "memberId", m.name as "memberName",
  coalesce((select json_agg(json_build_object('account', p.account, 'unit', p.unit, 'amount', p.amount) order by ${byAccount})
    from postings p where p.journal_entry_id = j.id), '[]') as postings`

/** Returns the condition for the number of an entry or an id of its cause. */
function isCalled(text: string): RawBuilder<unknown> {
  // As lists and mails write it: #1,898.
  const digits = /^#? ?(\d{1,15}|\d{1,3}(?:,\d{3}){1,4})$/.exec(text)?.[1]
  const number = digits === undefined ? null : Number(digits.replaceAll(',', ''))
  return sql`j.id = any(array(
    select ${number}::bigint where ${number}::bigint is not null
    union select e.id from journal_entries e where e.partner_id = current_partner()
      and e.source = any(${sources}::text[]) and e.source_id = any(array(
        select ${text}::text union select t.network_id from transactions t where t.public_id = ${text}))))`
}

/** Returns the condition for one posting that has all of this; true when nothing is asked of it. */
function hasPosting({ member, restaurant, account, amount }: JournalFilter): RawBuilder<unknown> {
  const conditions = [
    account !== 'any' && sql`p.account = ${account}`,
    amount !== undefined && isAmount(amount),
    member !== undefined && isNamed(sql`p.member_id`, member),
    restaurant !== undefined && isRestaurantMeant(sql`p.merchant_id`, restaurant),
  ].filter((condition) => condition !== false)
  if (conditions.length === 0) return sql`true`
  return sql`exists (select from postings p where p.partner_id = j.partner_id and p.journal_entry_id = j.id
    and ${sql.join(conditions, sql` and `)})`
}

/** A number without a unit is dollars, miles or points; in either direction. */
function isAmount({ number, unit }: SoughtAmount): RawBuilder<unknown> {
  const cents = centsFromDecimal(number)
  const isCents = sql`(p.amount = any(${[cents, -cents]}::bigint[]) and p.unit = 'cent')`
  if (unit === 'dollars') return isCents
  const isRewards = sql`(p.amount = any(${[Number(number), -Number(number)]}::bigint[]) and p.unit <> 'cent')`
  return unit === 'rewards' ? isRewards : sql`(${isCents} or ${isRewards})`
}

/** Returns the condition of a filter; days are UTC, as those of settlement. */
const conditionsOf = (filter: JournalFilter) => sql`j.partner_id = current_partner()
  ${filter.q === undefined ? sql`` : sql`and ${isCalled(filter.q)}`}
  ${filter.source === 'any' ? sql`` : sql`and j.source = ${filter.source}`}
  ${filter.from === undefined ? sql`` : sql`and j.posted_at >= ${filter.from}::date::timestamp at time zone 'UTC'`}
  ${filter.to === undefined ? sql`` : sql`and j.posted_at < (${filter.to}::date + 1)::timestamp at time zone 'UTC'`}
  and ${hasPosting(filter)}`

const listOf = (filter: JournalFilter): List => ({
  columns,
  from: sql`journal_entries j`,
  joins: memberOf,
  where: conditionsOf(filter),
  order: byTime,
})

/** Returns one page of journal entries, and how many there are. */
export const listJournal = (db: Db, { cursor, limit, ...filter }: JournalFilter & PageRequest) =>
  listPage<EntryRow>(db, listOf(filter), { cursor, limit })

/** Yields the entries of a list page by page. */
export const readJournal = (db: Db, filter: JournalFilter) => readPages<EntryRow>(db, listOf(filter))

export interface EntryDetail {
  id: number
  postedAt: Date
  source: Entry['source']
  sourceId: string
  version: number
  kind: string
  reason: { code?: string; words?: string; by?: string[]; invoice?: string }
}

export async function findEntry(db: Db, id: number): Promise<EntryDetail | undefined> {
  const { rows } = await sql<EntryDetail>`
    select j.id, j.posted_at as "postedAt", j.source, j.source_id as "sourceId", j.version, j.kind, j.reason
    from journal_entries j where j.partner_id = current_partner() and j.id = ${id}`.execute(db)
  return rows[0]
}

export interface DetailedPosting extends PostingRow {
  id: number
  memberId: string | null
  memberName: string | null
  merchantId: string | null
  merchantName: string | null
}

export async function listPostings(db: Db, entryId: number): Promise<DetailedPosting[]> {
  const { rows } = await sql<DetailedPosting>`
    select p.id, p.account, p.unit, p.amount, m.public_id as "memberId",
      trim(m.first_name || ' ' || m.last_name) as "memberName", r.public_id as "merchantId", r.name as "merchantName"
    from postings p
    left join members m on m.partner_id = p.partner_id and m.id = p.member_id
    left join merchants r on r.id = p.merchant_id
    where p.partner_id = current_partner() and p.journal_entry_id = ${entryId} order by ${byAccount}`.execute(db)
  return rows
}

export interface VersionRow {
  id: number
  version: number
  kind: string
  postedAt: Date
}

/** Returns all entries of a cause, the first one first. */
export async function listVersions(db: Db, { source, sourceId }: EntryDetail): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select id, version, kind, posted_at as "postedAt" from journal_entries
    where partner_id = current_partner() and source = ${source} and source_id = ${sourceId} order by version`.execute(
    db,
  )
  return rows
}

export interface CauseRow {
  id: string
  label: string
}

/** Returns the transaction of a network id. */
export async function findTransaction(db: Db, networkId: string): Promise<CauseRow | undefined> {
  const { rows } = await sql<CauseRow>`
    select public_id as id, merchant_name as label from transactions
    where partner_id = current_partner() and network_id = ${networkId}`.execute(db)
  return rows[0]
}

/** Returns the member in whose account a debt arose. */
export async function findDebtor(db: Db, debtId: string): Promise<CauseRow | undefined> {
  const { rows } = await sql<CauseRow>`
    select m.public_id as id, trim(m.first_name || ' ' || m.last_name) as label
    from debts d join members m on m.partner_id = d.partner_id and m.id = d.member_id
    where d.partner_id = current_partner() and d.public_id = ${debtId}`.execute(db)
  return rows[0]
}
