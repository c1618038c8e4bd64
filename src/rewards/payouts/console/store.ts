import { type RawBuilder, sql } from 'kysely'
import { isNamed } from '../../../identity/members/service.ts'
import type { Db, Tx } from '../../../platform/database/db.ts'
import { type List, listPage, type Order, type PageRequest, readPages } from '../../../platform/database/keyset.ts'
import type { RedemptionStatus } from '../contract.ts'
import type { Attention } from '../rules.ts'

export interface CreditFilter {
  q?: string | undefined
  member?: string | undefined
  from?: string | undefined
  to?: string | undefined
  state: 'any' | 'attention' | 'open' | 'checking' | 'paid' | 'returned'
}

export interface CreditRow {
  rowId: number
  id: string
  orderedAt: Date
  cents: number
  memberRowId: number
  memberId: string
  memberName: string
  status: RedemptionStatus
  attention: Attention | null
  brand: string
  delivery: 'Card' | 'Email'
  processor: string
  unanswered: number
  lastError: string | null
  resubmitted: number
  submittedAt: Date | null
  nextAttemptAt: Date
  checksLeft: number
}

const byTime: Order = { by: sql`c.created_at`, type: 'timestamptz', id: sql`c.id`, direction: 'desc' }

// Never `target_label`: it has the last digits of a card.
const columns = sql`c.id as "rowId", c.public_id as id, c.created_at as "orderedAt", c.amount_cents as cents,
  c.member_id as "memberRowId", m.public_id as "memberId", trim(m.first_name || ' ' || m.last_name) as "memberName",
  c.status, c.attention, c.brand, c.delivery, c.processor, c.unanswered, c.last_error as "lastError", c.resubmitted,
  c.submitted_at as "submittedAt", c.next_attempt_at as "nextAttemptAt", c.checks_left as "checksLeft"`
const joins = sql`join members m on m.partner_id = c.partner_id and m.id = c.member_id`
const joined = sql`statement_credits c ${joins}`

const isOpen = sql`c.status in ('pending', 'pending_received')`
const stateConditions: Readonly<Record<CreditFilter['state'], RawBuilder<unknown>>> = {
  any: sql`true`,
  attention: sql`c.attention is not null`,
  open: sql`${isOpen} and c.unanswered = 0`,
  checking: sql`${isOpen} and c.unanswered > 0`,
  paid: sql`c.status = 'completed'`,
  returned: sql`c.status in ('rejected', 'error')`,
}

/** Returns the condition of a filter; days are those of the program. */
const conditionsOf = ({ q, member, from, to, state }: CreditFilter, timeZone: string) => sql`
  c.partner_id = current_partner() and ${stateConditions[state]}
  ${q === undefined ? sql`` : sql`and c.public_id = ${q}`}
  ${member === undefined ? sql`` : sql`and ${isNamed(sql`c.member_id`, member)}`}
  ${from === undefined ? sql`` : sql`and c.created_at >= ${from}::date::timestamp at time zone ${timeZone}`}
  ${to === undefined ? sql`` : sql`and c.created_at < (${to}::date + 1)::timestamp at time zone ${timeZone}`}`

const listOf = (filter: CreditFilter, timeZone: string): List => ({
  columns,
  from: sql`statement_credits c`,
  joins,
  where: conditionsOf(filter, timeZone),
  order: byTime,
})

/** Returns one page of credits, and how many there are. */
export const listCredits = (db: Db, { cursor, limit, ...filter }: CreditFilter & PageRequest, timeZone: string) =>
  listPage<CreditRow>(db, listOf(filter, timeZone), { cursor, limit })

/** Yields the rows of a list page by page. */
export const readCredits = (db: Db, filter: CreditFilter, timeZone: string) =>
  readPages<CreditRow>(db, listOf(filter, timeZone))

export async function findCredit(db: Db | Tx, id: string): Promise<CreditRow | undefined> {
  const { rows } = await sql<CreditRow>`
    select ${columns} from ${joined} where c.partner_id = current_partner() and c.public_id = ${id}`.execute(db)
  return rows[0]
}

/** Returns the credits of a member that were ordered after this one, the first one first. */
export async function listLaterCredits(tx: Tx, { memberRowId, afterId }: { memberRowId: number; afterId: number }) {
  const { rows } = await sql<CreditRow>`
    select ${columns} from ${joined}
    where c.partner_id = current_partner() and c.member_id = ${memberRowId} and c.id > ${afterId}
    order by c.id`.execute(tx)
  return rows
}

/** Returns the id of a member's last credit. */
export async function findLastId(tx: Tx, memberRowId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select coalesce(max(id), 0) as id from statement_credits where member_id = ${memberRowId}`.execute(tx)
  return rows[0]?.id ?? 0
}

export interface CreditEventRow {
  at: Date
  kind: string
  detail: string
  by: string | null
  outcome: 'done' | 'waiting' | 'impossible'
}

/**
 * Returns what the processor answered and what operators decided about a credit, in order. A decision and the event that it
 * leads to are one.
 */
export async function listEvents(db: Db, creditId: number): Promise<CreditEventRow[]> {
  const { rows } = await sql<CreditEventRow>`
    select at, kind, detail, null as by, 'done' as outcome from statement_credit_events
    where credit_id = ${creditId} and kind not in ('returned', 'markedPaid', 'orderedAgain', 'acknowledged')
    union all
    select decided_at, decision, reason, decided_by,
      case when executed_at is null then 'waiting' when was_possible then 'done' else 'impossible' end
    from statement_credit_decisions where credit_id = ${creditId}
    order by 1, 2`.execute(db)
  return rows
}

export interface CreditEntryRow {
  id: number
  kind: string
  postedAt: Date
  cents: number
}

/** Returns the journal entries of a credit, the first one first. */
export async function listEntries(db: Db, id: string): Promise<CreditEntryRow[]> {
  const { rows } = await sql<CreditEntryRow>`
    select j.id, j.kind, j.posted_at as "postedAt",
      (select coalesce(sum(p.amount), 0)::bigint from postings p
        where p.journal_entry_id = j.id and p.account = 'member') as cents
    from journal_entries j
    where j.partner_id = current_partner() and j.source = 'statement-credit' and j.source_id = ${id}
    order by j.version`.execute(db)
  return rows
}
