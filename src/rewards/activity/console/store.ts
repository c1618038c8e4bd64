import { type RawBuilder, sql } from 'kysely'
import { isRestaurantMeant } from '../../../dining/merchants/service.ts'
import { isNamed } from '../../../identity/members/service.ts'
import type { Db, Tx } from '../../../platform/database/db.ts'
import {
  type List,
  listPage,
  type Order,
  type PageRequest,
  readPage,
  readPages,
} from '../../../platform/database/keyset.ts'

/** The order of every list: the latest first. */
const byTime: Order = { by: sql`t.occurred_at`, type: 'timestamptz', id: sql`t.id`, direction: 'desc' }

export interface TransactionFilter {
  q?: string | undefined
  restaurant?: string | undefined
  member?: string | undefined
  from?: string | undefined
  to?: string | undefined
  status: string
  reason: string
  min?: number | undefined
  max?: number | undefined
}

export interface ListedRow {
  id: string
  networkId: string
  dinedAt: Date
  merchantName: string
  merchantId: string | null
  memberId: string | null
  memberName: string | null
  cardLastFour: string
  cents: number
  refundedCents: number
  benefit: number
  award_status: string
  reason: { code?: string }
  type_code: string
  cleared_at: Date | null
  paid_at: Date | null
}

const columns = sql`t.public_id as id, t.network_id as "networkId", t.occurred_at as "dinedAt",
  t.merchant_name as "merchantName", r.public_id as "merchantId", m.public_id as "memberId",
  trim(m.first_name || ' ' || m.last_name) as "memberName", t.card_last_four as "cardLastFour",
  t.amount_cents as cents, t.refunded_cents as "refundedCents", t.benefit, t.award_status,
  jsonb_build_object('code', t.reason_code) as reason, t.type_code, t.cleared_at, t.paid_at`

/** Returns the condition of a filter; days are those of the program. */
function conditionsOf(filter: TransactionFilter, timeZone: string): RawBuilder<unknown> {
  const { q, restaurant, member, from, to, status, reason, min, max } = filter
  const parts = [
    sql`t.partner_id = current_partner()`,
    q !== undefined && /^\d{4}$/.test(q) && sql`t.card_last_four = ${q}`,
    q !== undefined &&
      !/^\d{4}$/.test(q) &&
      sql`t.id = any(array(select id from transactions where public_id = ${q}
        union all select id from transactions where partner_id = current_partner() and network_id = ${q}))`,
    restaurant !== undefined && isRestaurantMeant(sql`t.merchant_id`, restaurant),
    member !== undefined && isNamed(sql`t.member_id`, member),
    from !== undefined && sql`t.occurred_at >= ${from}::date::timestamp at time zone ${timeZone}`,
    to !== undefined && sql`t.occurred_at < (${to}::date + 1)::timestamp at time zone ${timeZone}`,
    status !== 'any' && sql`t.award_status = ${status}`,
    reason !== 'any' && sql`t.reason_code = ${reason}`,
    min !== undefined && sql`t.amount_cents >= ${min}`,
    max !== undefined && sql`t.amount_cents <= ${max}`,
  ]
  return sql.join(
    parts.filter((part) => part !== false),
    sql` and `,
  )
}

const joins = sql`left join merchants r on r.id = t.merchant_id left join members m on m.id = t.member_id`

const listOf = (filter: TransactionFilter, timeZone: string): List => ({
  columns,
  from: sql`transactions t`,
  joins,
  where: conditionsOf(filter, timeZone),
  order: byTime,
})

/** Returns one page of transactions, and how many there are. */
export const listTransactions = (
  db: Db,
  { cursor, limit, ...filter }: TransactionFilter & PageRequest,
  timeZone: string,
) => listPage<ListedRow>(db, listOf(filter, timeZone), { cursor, limit })

/** Returns the latest transactions of an id, or of the last four digits of a card. */
export async function findTransactions(db: Db, q: string, limit: number): Promise<ListedRow[]> {
  // No day is looked for, so no time zone matters.
  const list = listOf({ q, status: 'any', reason: 'any' }, 'UTC')
  return (await readPage<ListedRow>(db, list, { limit })).rows
}

/** Yields the rows of a list page by page. */
export const readTransactions = (db: Db, filter: TransactionFilter, timeZone: string) =>
  readPages<ListedRow>(db, listOf(filter, timeZone))

export async function findListed(db: Db | Tx, id: string): Promise<ListedRow | undefined> {
  const { rows } = await sql<ListedRow>`
    select ${columns} from transactions t ${joins} where t.public_id = ${id}`.execute(db)
  return rows[0]
}

export interface JournalRow {
  id: number
  kind: string
  postedAt: Date
  reasonCode: string | null
  postings: { account: string; unit: string; amount: number }[]
}

/** Returns the journal entries of a transaction, the first one first. */
export async function listJournal(db: Db, networkId: string): Promise<JournalRow[]> {
  const { rows } = await sql<JournalRow>`
    select j.id, j.kind, j.posted_at as "postedAt", j.reason ->> 'code' as "reasonCode",
      coalesce((select json_agg(json_build_object('account', p.account, 'unit', p.unit, 'amount', p.amount) order by p.id)
        from postings p where p.journal_entry_id = j.id), '[]') as postings
    from journal_entries j
    where j.partner_id = current_partner() and j.source = 'transaction' and j.source_id = ${networkId}
    order by j.version`.execute(db)
  return rows
}

export interface ActRow {
  at: Date
  action: string
  by: string
  reason: string
}

/** Returns what operators did to something, the first act first. */
export async function listActs(db: Db, type: string, id: string): Promise<ActRow[]> {
  const { rows } = await sql<ActRow>`
    select at, action, operator_name as by, reason from console.acts
    where object_type = ${type} and object_id = ${id} and partner_id = current_partner() and status < 400
      and action not in ('getTransaction', 'getUnmatched')
    order by id limit 200`.execute(db)
  return rows
}
