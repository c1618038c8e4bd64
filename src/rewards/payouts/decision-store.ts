import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { RedemptionStatus } from './contract.ts'
import type { Attention, Decision } from './rules.ts'

/** What has become of a credit; the migration lists the kinds. */
type EventKind =
  | 'accepted'
  | 'resubmitted'
  | 'completed'
  | 'rejected'
  | 'returned'
  | 'orderedAgain'
  | 'markedPaid'
  | 'acceptedAfterReturn'
  | 'paidAfterReturn'
  | 'rejectedAfterPaid'
  | 'acknowledged'

/** Adds an event of a credit. `detail`: the processor's reason, or the operator with the reason. */
export async function insertEvent(tx: Tx, creditId: number, kind: EventKind, detail = ''): Promise<void> {
  await tx.insertInto('statement_credit_events').values({ credit_id: creditId, kind, detail }).execute()
}

/** Returns decisions about a credit that were not carried out, the oldest first. */
export async function listOpenDecisions(db: Db, creditId: number): Promise<{ id: number }[]> {
  return db
    .selectFrom('statement_credit_decisions')
    .select('id')
    .where('credit_id', '=', creditId)
    .where('executed_at', 'is', null)
    .orderBy('id')
    .execute()
}

export interface StoredDecision {
  creditId: number
  memberId: number
  decision: Decision
  reason: string
  by: string
  isExecuted: boolean
}

export async function findDecision(tx: Tx, id: number): Promise<StoredDecision | undefined> {
  const { rows } = await sql<StoredDecision>`
    select d.credit_id as "creditId", c.member_id as "memberId", d.decision, d.reason, d.decided_by as by,
      d.executed_at is not null as "isExecuted"
    from statement_credit_decisions d join statement_credits c on c.partner_id = d.partner_id and c.id = d.credit_id
    where d.id = ${id}`.execute(tx)
  return rows[0]
}

export async function markExecuted(tx: Tx, id: number, at: Date, wasPossible: boolean): Promise<void> {
  await tx
    .updateTable('statement_credit_decisions')
    .set({ executed_at: at, was_possible: wasPossible })
    .where('id', '=', id)
    .execute()
}

/** A decision of an operator, to be stored; its job follows from the row. */
export interface NewDecision {
  creditId: number
  decision: Decision
  reason: string
  by: string
}

/** Stores a decision; returns its id. */
export async function insertDecision(db: Db | Tx, { creditId, decision, reason, by }: NewDecision): Promise<number> {
  const row = { credit_id: creditId, decision, reason, decided_by: by }
  const { id } = await db.insertInto('statement_credit_decisions').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

/** A credit as operators see it. */
export interface WatchedCredit {
  id: number
  creditId: string
  memberId: string | null
  amountCents: number
  processor: string
  status: RedemptionStatus
  attention: Attention | null
  attentionSince: Date | null
  unanswered: number
  lastError: string | null
  createdAt: Date
  nextAttemptAt: Date
}

const watchedColumns = sql`c.id, c.public_id as "creditId", m.public_id as "memberId", c.amount_cents as "amountCents",
  c.processor, c.status, c.attention, c.attention_since as "attentionSince", c.unanswered, c.last_error as "lastError",
  c.created_at as "createdAt", c.next_attempt_at as "nextAttemptAt"`
const withMember = sql`statement_credits c left join members m on m.partner_id = c.partner_id and m.id = c.member_id`

/** Returns the credits that need an operator, the oldest first, and after them those without an answer; at most 200. */
export async function listWatchedCredits(db: Db): Promise<WatchedCredit[]> {
  const { rows } = await sql<WatchedCredit>`
    select ${watchedColumns} from ${withMember}
    where c.partner_id = current_partner()
      and (c.attention is not null or (c.unanswered > 0 and c.status in ('pending', 'pending_received')))
    order by c.attention_since nulls last, c.created_at, c.id limit 200`.execute(db)
  return rows
}

export async function findWatchedCredit(db: Db, creditId: string): Promise<WatchedCredit | undefined> {
  const { rows } = await sql<WatchedCredit>`
    select ${watchedColumns} from ${withMember}
    where c.partner_id = current_partner() and c.public_id = ${creditId}`.execute(db)
  return rows[0]
}

export interface HistoryEntry {
  at: Date
  kind: string
  detail: string
}

/** Returns what has become of a credit, and what operators have decided, in order. */
export async function listHistory(db: Db, id: number): Promise<HistoryEntry[]> {
  const { rows } = await sql<HistoryEntry>`
    select at, kind, detail from statement_credit_events where credit_id = ${id}
    union all
    select decided_at, 'decision: ' || decision || case when executed_at is null then ' (not carried out yet)'
      when was_possible then '' else ' (no longer possible)' end, decided_by || ': ' || reason
      from statement_credit_decisions where credit_id = ${id}
    order by 1, 2`.execute(db)
  return rows
}
