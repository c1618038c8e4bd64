import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/db.ts'
import {
  afterCursor,
  type CursorRow,
  countRows,
  cursorColumns,
  type Order,
  orderBy,
  toPage,
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

export interface ListedRow extends CursorRow {
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

/** Ids that a text may mean; more restaurants or members than this are too many to be meant. */
const maxMeant = 500

/** Returns the conditions of a filter; days are those of the program. `false` when nothing can match. */
async function conditionsOf(db: Db, filter: TransactionFilter, timeZone: string): Promise<RawBuilder<unknown>> {
  const { q, from, to, status, reason, min, max } = filter
  const [merchants, members] = await Promise.all([idsOfMerchants(db, filter), idsOfMembers(db, filter)])
  const parts = [
    sql`t.partner_id = current_partner()`,
    q !== undefined && /^\d{4}$/.test(q) && sql`t.card_last_four = ${q}`,
    q !== undefined &&
      !/^\d{4}$/.test(q) &&
      sql`t.id = any(array(select id from transactions where public_id = ${q}
        union all select id from transactions where partner_id = current_partner() and network_id = ${q}))`,
    merchants && sql`t.merchant_id = any(${merchants}::bigint[])`,
    members && sql`t.member_id = any(${members}::bigint[])`,
    from !== undefined && sql`t.occurred_at >= ${from}::date::timestamp at time zone ${timeZone}`,
    to !== undefined && sql`t.occurred_at < (${to}::date + 1)::timestamp at time zone ${timeZone}`,
    status !== 'any' && sql`t.award_status = ${status}`,
    reason !== 'any' && sql`t.reason_code = ${reason}`,
    min !== undefined && sql`t.amount_cents >= ${min}`,
    max !== undefined && sql`t.amount_cents <= ${max}`,
  ]
  return sql.join(
    parts.filter((part) => part !== undefined && part !== false && part !== null),
    sql` and `,
  )
}

const beginningWith = (text: string) => `${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`

async function idsOfMerchants(db: Db, { restaurant }: TransactionFilter): Promise<number[] | undefined> {
  if (restaurant === undefined) return undefined
  const { rows } = await sql<{ id: number }>`
    select id from merchants where public_id = ${restaurant} or lower(name) like ${beginningWith(restaurant)}
    limit ${maxMeant}`.execute(db)
  return rows.map(({ id }) => id)
}

async function idsOfMembers(db: Db, { member }: TransactionFilter): Promise<number[] | undefined> {
  if (member === undefined) return undefined
  const term = member.trim().toLowerCase()
  // The terms have an index; one on lower(email) would not be used under row-level security. Names are terms, too.
  const { rows } = await sql<{ id: number }>`
    select id from members where public_id = ${member} and deleted_at is null
    union select m.id from member_terms t join members m on m.id = t.member_id
      where t.term = search_term(${term}) and (lower(m.email) = ${term} or lower(m.partner_number) = ${term})`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

const joined = sql`left join merchants r on r.id = t.merchant_id left join members m on m.id = t.member_id`

/** Returns one page of transactions, and how many there are. */
export async function listTransactions(
  db: Db,
  { cursor, limit, ...filter }: TransactionFilter & { cursor?: string | undefined; limit: number },
  timeZone: string,
) {
  const where = await conditionsOf(db, filter, timeZone)
  const [rows, total] = await Promise.all([
    readPage(db, where, { cursor, limit }),
    countRows(db, sql`from transactions t where ${where}`),
  ])
  return { ...toPage(rows, limit), total }
}

async function readPage(
  db: Db,
  where: RawBuilder<unknown>,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<ListedRow[]> {
  const { rows } = await sql<ListedRow>`
    select ${columns}, ${cursorColumns(byTime)} from transactions t ${joined}
    where ${where} and ${afterCursor(byTime, cursor)} order by ${orderBy(byTime)} limit ${limit + 1}`.execute(db)
  return rows
}

/** Returns the latest transactions of an id (ours or the network's), or of the last four digits of a card. */
export async function findTransactions(db: Db, q: string, limit: number): Promise<ListedRow[]> {
  // No day is looked for, so no time zone matters.
  const where = await conditionsOf(db, { q, status: 'any', reason: 'any' }, 'UTC')
  return toPage(await readPage(db, where, { cursor: undefined, limit }), limit).rows
}

/** Rows of an export that are read at once. */
const exportPage = 1_000

/** Yields the rows of a list page by page. */
export async function* readTransactions(
  db: Db,
  filter: TransactionFilter,
  timeZone: string,
): AsyncGenerator<ListedRow[]> {
  const where = await conditionsOf(db, filter, timeZone)
  for (let cursor: string | undefined; ; ) {
    const { rows, next } = toPage(await readPage(db, where, { cursor, limit: exportPage }), exportPage)
    yield rows
    if (next === null) return
    cursor = next
  }
}

export async function findListed(db: Db | Tx, id: string): Promise<ListedRow | undefined> {
  const { rows } = await sql<ListedRow>`
    select ${columns}, ${cursorColumns(byTime)} from transactions t ${joined} where t.public_id = ${id}`.execute(db)
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
