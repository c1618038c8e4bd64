import { type Selectable, sql } from 'kysely'
import type { StatementCredits } from '../../../db/schema.ts'
import type { Merge } from '../../identity/members/service.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { fromNow } from '../../platform/database/from-now.ts'
import { HOUR } from '../../platform/time.ts'
import type { RedemptionStatus } from './contract.ts'
import type { CreditOrder } from './processor.ts'
import type { Attention } from './rules.ts'

export type CreditRow = Omit<Selectable<StatementCredits>, 'status' | 'attention'> & {
  status: RedemptionStatus
  attention: Attention | null
}

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

/**
 * Gives the statement credits of an account to the one that it is merged into: one that returns is added to its balance.
 * They keep their numbers, so that the processor knows those that are under way.
 */
export async function moveCredits(tx: Tx, { from, to }: Merge): Promise<void> {
  await tx.updateTable('statement_credits').set({ member_id: to }).where('member_id', '=', from).execute()
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

const isOpen = sql<boolean>`status in ('pending', 'pending_received')`
/** Open credits, and decided ones about which the processor is still asked. */
const isAsked = sql<boolean>`(${isOpen} or checks_left > 0)`

/** Returns a credit about which its processor is to be asked. */
export async function findAskedCredit(db: Db, id: number): Promise<CreditRow | undefined> {
  const found = db.selectFrom('statement_credits').selectAll().where('id', '=', id).where(isAsked)
  return (await found.executeTakeFirst()) as CreditRow | undefined
}

export async function findCredit(tx: Tx, id: number): Promise<CreditRow | undefined> {
  const found = tx.selectFrom('statement_credits').selectAll().where('id', '=', id)
  return (await found.executeTakeFirst()) as CreditRow | undefined
}

/** Records, before the first attempt, that an open credit may have reached the processor; returns false later. */
export async function markSubmitted(db: Db, id: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('statement_credits')
    .set({ submitted_at: at })
    .where('id', '=', id)
    .where('submitted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Enqueues the credits again whose attempt is overdue: their job has failed for good, for example because its processes
 * ended. Returns how many.
 */
export async function enqueueOverdue(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`update statement_credits set next_attempt_at = now()
    where partner_id = current_partner() and ${isAsked} and next_attempt_at < ${fromNow(-HOUR)}`.execute(db)
  return Number(numAffectedRows)
}

export interface CreditChange {
  status: RedemptionStatus
  /** The processor that executes it. */
  processor: string
  /** Milliseconds until the next attempt. */
  wait: number
  unanswered: number
  lastError: string | null
  resubmitted: number
  attention: Attention | null
  checksLeft: number
}

/**
 * Changes a credit that the caller has read under the lock of its member; what is not given stays. With a time to wait,
 * an open or still checked credit gets its next job.
 */
export async function changeCredit(tx: Tx, before: CreditRow, change: Partial<CreditChange>, now: Date): Promise<void> {
  const { wait, lastError, checksLeft, ...columns } = change
  const isNew = change.attention !== undefined && change.attention !== before.attention
  await tx
    .updateTable('statement_credits')
    .set({
      ...columns,
      ...(isNew && { attention_since: change.attention === null ? null : now }),
      ...(lastError !== undefined && { last_error: lastError }),
      ...(checksLeft !== undefined && { checks_left: checksLeft }),
      ...(wait !== undefined && { next_attempt_at: fromNow(wait) }),
    })
    .where('id', '=', before.id)
    .execute()
}

/** Records the journal entry by which a credit returned. */
export async function setReturned(tx: Tx, id: number, journalId: number): Promise<void> {
  await tx.updateTable('statement_credits').set({ return_journal_entry_id: journalId }).where('id', '=', id).execute()
}

/** Ends the notices of credits whose amount was left in the balance of a deleted account, where nothing is left by now. */
export async function endAttentionOfRests(tx: Tx, memberIds: readonly number[]): Promise<void> {
  if (memberIds.length === 0) return
  await sql`update statement_credits c set attention = null, attention_since = null
    where c.partner_id = current_partner() and c.member_id = any(${memberIds})
      and c.attention = ${'leftInClosedAccount' satisfies Attention}
      and (select coalesce(sum(amount), 0) from postings where member_id = c.member_id and unit = 'cent') <= 0`.execute(
    tx,
  )
}

/** Returns the version of a credit's next journal entry. */
export async function nextVersion(tx: Tx, { public_id }: CreditRow): Promise<number> {
  const { last } = await tx
    .selectFrom('journal_entries')
    .select((of) => of.fn.max('version').as('last'))
    .where('source', '=', 'statement-credit')
    .where('source_id', '=', public_id)
    .executeTakeFirstOrThrow()
  return last + 1
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

/** Undoes `markPaid`: the amount has returned to the balance. */
export async function markAwarded(tx: Tx, transactionIds: readonly number[]): Promise<void> {
  await tx
    .updateTable('transactions')
    .set({ award_status: 'Awarded', paid_at: null, updated_at: sql<Date>`now()` })
    .where('id', '=', sql<number>`any(${transactionIds})`)
    .where('award_status', '=', 'Paid')
    .execute()
}

export interface TargetCard {
  cardType: string
  label: string
  /** Whether its account is deleted: the card has no number any more. */
  isErased: boolean
  /** Whether the member has removed it: nothing is paid to it any more. */
  isRemoved: boolean
}

/** Returns a card with the member's name of it. */
export async function findCardTarget(tx: Tx, cardId: number): Promise<TargetCard | undefined> {
  const card = await tx
    .selectFrom('cards')
    .innerJoin('members', 'members.id', 'cards.member_id')
    .select(['card_type', 'description', 'last_four', 'cards.removed_at', 'members.deleted_at'])
    .where('cards.id', '=', cardId)
    .executeTakeFirst()
  if (!card) return undefined
  const label = `${card.description} ending in ${card.last_four}`
  return {
    cardType: card.card_type,
    label,
    isErased: card.deleted_at !== null,
    isRemoved: card.removed_at !== null,
  }
}

/** Returns to what a member's last credit was ordered. */
export async function findLastTarget(
  tx: Tx,
  memberId: number,
): Promise<Pick<CreditOrder, 'brand' | 'delivery' | 'targetLabel'> | undefined> {
  const last = await tx
    .selectFrom('statement_credits')
    .select(['brand', 'delivery', 'target_label as targetLabel'])
    .where('member_id', '=', memberId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last && { ...last, delivery: last.delivery as CreditOrder['delivery'] }
}

/** Returns the linked card with which a member has earned last; null without any. */
export async function findLastEarningCard(tx: Tx, memberId: number): Promise<number | null> {
  const last = await tx
    .selectFrom('transactions as t')
    .innerJoin('cards as c', 'c.id', 't.card_id')
    .select('t.card_id')
    .where('t.member_id', '=', memberId)
    .whereRef('c.member_id', '=', 't.member_id')
    .where('c.removed_at', 'is', null)
    .where('t.benefit', '>', 0)
    .orderBy('t.occurred_at', 'desc')
    .orderBy('t.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.card_id ?? null
}

/** Returns which of these accounts are deleted. */
export async function listDeletedMembers(tx: Tx, ids: readonly number[]): Promise<Set<number>> {
  const rows = await tx
    .selectFrom('members')
    .select('id')
    .where('id', '=', sql<number>`any(${[...ids]})`)
    .where('deleted_at', 'is not', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Stores an order of our own processor, and pays it; an existing one stays unchanged. */
export async function insertOrder(db: Db, creditId: string, amountCents: number, paidAt: Date): Promise<void> {
  await db
    .insertInto('payout_orders')
    .values({ credit_id: creditId, amount_cents: amountCents, paid_at: paidAt })
    .onConflict((conflict) => conflict.columns(['partner_id', 'credit_id']).doNothing())
    .execute()
}

export interface StoredOrder {
  amountCents: number
  paidAt: Date | null
}

export async function findOrder(db: Db, creditId: string): Promise<StoredOrder | undefined> {
  return db
    .selectFrom('payout_orders')
    .select(['amount_cents as amountCents', 'paid_at as paidAt'])
    .where('partner_id', '=', sql<string>`current_partner()`)
    .where('credit_id', '=', creditId)
    .executeTakeFirst()
}
