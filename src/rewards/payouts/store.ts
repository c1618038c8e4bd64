import { type Selectable, sql } from 'kysely'
import type { StatementCredits } from '../../../db/schema.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { fromNow } from '../../platform/database/from-now.ts'
import type { RedemptionStatus } from './contract.ts'
import type { CreditOrder } from './processor.ts'

export type CreditRow = Selectable<StatementCredits>

export interface NewCredit extends CreditOrder {
  memberId: number
  journalId: number
  createdAt: Date
}

export async function insertCredit(tx: Tx, credit: NewCredit): Promise<void> {
  await tx
    .insertInto('statement_credits')
    .values({
      public_id: credit.creditId,
      member_id: credit.memberId,
      journal_entry_id: credit.journalId,
      amount_cents: credit.amountCents,
      target_type: credit.delivery === 'Card' ? 'card' : 'other',
      target_label: credit.targetLabel,
      brand: credit.brand,
      delivery: credit.delivery,
      processor: '',
      status: 'pending',
      created_at: credit.createdAt,
    })
    .execute()
}

export function toOrder(row: CreditRow): CreditOrder {
  return {
    creditId: row.public_id,
    amountCents: row.amount_cents,
    brand: row.brand,
    delivery: row.delivery as CreditOrder['delivery'],
    targetLabel: row.target_label,
  }
}

/** Returns a credit without an outcome. */
export async function findOpenCredit(db: Db, id: number): Promise<CreditRow | undefined> {
  return db
    .selectFrom('statement_credits')
    .selectAll()
    .where('id', '=', id)
    .where('status', 'in', ['pending', 'pending_received'])
    .executeTakeFirst()
}

export interface CreditChange {
  status: RedemptionStatus
  /** The processor that executes it. */
  processor: string
  /** Milliseconds until the next check. */
  wait: number
}

/**
 * Stores the status of a credit that still has the given one; returns false otherwise. While it is open, its next
 * attempt enqueues another job.
 */
export async function changeCredit(
  tx: Tx,
  { id, status: before }: Pick<CreditRow, 'id' | 'status'>,
  { status, processor, wait }: CreditChange,
): Promise<boolean> {
  const { numAffectedRows } = await sql`update statement_credits set status = ${status}, processor = ${processor},
    next_attempt_at = ${fromNow(wait)}
    where id = ${id} and status = ${before}`.execute(tx)
  return numAffectedRows === 1n
}

/** Records the journal entry by which a credit returned. */
export async function setReturned(tx: Tx, id: number, journalId: number): Promise<void> {
  await tx.updateTable('statement_credits').set({ return_journal_entry_id: journalId }).where('id', '=', id).execute()
}

/** Returns the transactions that a credit covers. */
export async function getCoveredTransactionIds(tx: Tx, { journal_entry_id }: CreditRow): Promise<number[]> {
  const { reason } = await tx
    .selectFrom('journal_entries')
    .select('reason')
    .where('id', '=', journal_entry_id)
    .executeTakeFirstOrThrow()
  return (reason as { covered: number[] }).covered
}

/** Returns a member's entries that are in the balance: those of a credit on its way have left it. */
export async function listTransactionIdsInBalance(tx: Tx, memberId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select t.id from transactions t
    where t.partner_id = current_partner() and t.member_id = ${memberId} and t.award_status = 'Awarded' and not exists (
      select from statement_credits c join journal_entries j on j.partner_id = c.partner_id and j.id = c.journal_entry_id
      where c.member_id = t.member_id and c.status in ('pending', 'pending_received')
        and j.reason -> 'covered' @> to_jsonb(t.id))
    order by t.id`.execute(tx)
  return rows.map((row) => row.id)
}

export async function markPaid(tx: Tx, transactionIds: readonly number[], paidAt: Date): Promise<void> {
  await tx
    .updateTable('transactions')
    .set({ award_status: 'Paid', paid_at: paidAt, updated_at: sql<Date>`now()` })
    .where('id', '=', sql<number>`any(${transactionIds})`)
    .where('award_status', '=', 'Awarded')
    .execute()
}

export interface TargetCard {
  cardType: string
  label: string
}

/** Returns a card with the member's name of it. */
export async function findCardTarget(tx: Tx, cardId: number): Promise<TargetCard | undefined> {
  const card = await tx
    .selectFrom('cards')
    .select(['card_type', 'description', 'last_four'])
    .where('id', '=', cardId)
    .executeTakeFirst()
  return card && { cardType: card.card_type, label: `${card.description} ending in ${card.last_four}` }
}

/** Stores an order of our own processor; an existing one stays unchanged. */
export async function insertOrder(db: Db, creditId: string, amountCents: number): Promise<void> {
  await db
    .insertInto('payout_orders')
    .values({ credit_id: creditId, amount_cents: amountCents })
    .onConflict((conflict) => conflict.columns(['partner_id', 'credit_id']).doNothing())
    .execute()
}

/** Pays an order, once; returns false when there is none. */
export async function markOrderPaid(db: Db, creditId: string, paidAt: Date): Promise<boolean> {
  const row = await db
    .updateTable('payout_orders')
    .set({ paid_at: sql<Date>`coalesce(paid_at, ${paidAt})` })
    .where('partner_id', '=', sql<string>`current_partner()`)
    .where('credit_id', '=', creditId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
