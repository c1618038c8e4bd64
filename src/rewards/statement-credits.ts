import { sql } from 'kysely'
import type { Ctx } from '../kit/server/context.ts'
import type { Tx } from '../kit/server/db.ts'
import { publicId } from '../kit/server/ids.ts'
import type { RedemptionStatus } from './contract.ts'
import { balanceOf, postEntry } from './post-award.ts'

export interface CreditOrder {
  creditId: string
  amountCents: number
  targetType: 'card' | 'other'
  targetLabel: string
}

/**
 * Who carries the money. `accept` runs in the transaction that takes it from the balance, so an implementation that
 * speaks to the outside only writes the order down there, answers `pending`, and completes it later.
 */
export interface CreditProcessor {
  name: string
  accept(tx: Tx, order: CreditOrder): Promise<RedemptionStatus>
}

/** The processor that comes with Dineback: the credit is on the statement at once. */
export const sampleProcessor: CreditProcessor = {
  name: 'sample',
  accept: async () => 'completed',
}

/**
 * Sends the whole balance as one statement credit once it has reached what the program sends from, and marks the
 * meals it covers as Paid when it is completed. A second call finds an empty balance. The caller holds the
 * member's lock. Answers the credit's id, or null when nothing is due.
 */
export async function payOutBalance(
  tx: Tx,
  ctx: Ctx,
  { memberId, cardId }: { memberId: number; cardId: number | null },
  processor: CreditProcessor = sampleProcessor,
): Promise<string | null> {
  const { currencyType, statementCreditFromCents } = ctx.program.config
  if (currencyType !== 'Credit' || statementCreditFromCents === undefined) return null
  const amountCents = await balanceOf(tx, memberId, 'cent')
  if (amountCents < statementCreditFromCents) return null
  const order: CreditOrder = { creditId: publicId(), amountCents, ...(await targetOf(tx, cardId)) }
  const covered = await coveredMeals(tx, memberId)
  const journalId = await postEntry(tx, {
    source: 'statement-credit',
    sourceId: order.creditId,
    version: 1,
    kind: 'statement-credit',
    reason: { covered },
    memberId,
    unit: 'cent',
    amount: -amountCents,
    against: 'payout',
  })
  await insertCredit(tx, ctx, { ...order, memberId, journalId, processor: processor.name })
  const status = await processor.accept(tx, order)
  if (status !== 'pending') await recordStatus(tx, ctx, { creditId: order.creditId, status })
  return order.creditId
}

/** Writes down what the processor says of a credit; a completed one makes the meals it covers Paid. */
export async function recordStatus(
  tx: Tx,
  ctx: Ctx,
  { creditId, status }: { creditId: string; status: RedemptionStatus },
): Promise<void> {
  const credit = await tx
    .updateTable('statement_credits')
    .set({ status })
    .where('public_id', '=', creditId)
    .returning('journal_id')
    .executeTakeFirstOrThrow()
  if (status !== 'completed') return
  const journal = await tx
    .selectFrom('journals')
    .select('reason')
    .where('id', '=', credit.journal_id)
    .executeTakeFirstOrThrow()
  await markPaid(tx, (journal.reason as { covered: number[] }).covered, ctx.now())
}

async function markPaid(tx: Tx, mealIds: readonly number[], paidAt: Date): Promise<void> {
  await tx
    .updateTable('transactions')
    .set({ award_status: 'Paid', paid_at: paidAt, updated_at: sql<Date>`now()` })
    .where('id', '=', sql<number>`any(${mealIds})`)
    .where('award_status', '=', 'Awarded')
    .execute()
}

async function coveredMeals(tx: Tx, memberId: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('transactions')
    .select('id')
    .where('member_id', '=', memberId)
    .where('award_status', '=', 'Awarded')
    .orderBy('id')
    .execute()
  return rows.map((row) => row.id)
}

/** The card of the meal that filled the balance, as the member knows it. */
async function targetOf(tx: Tx, cardId: number | null): Promise<Pick<CreditOrder, 'targetType' | 'targetLabel'>> {
  const card =
    cardId === null
      ? undefined
      : await tx.selectFrom('cards').select(['description', 'last_four']).where('id', '=', cardId).executeTakeFirst()
  if (!card) return { targetType: 'other', targetLabel: '' }
  return { targetType: 'card', targetLabel: `${card.description} ending in ${card.last_four}` }
}

interface NewCredit extends CreditOrder {
  memberId: number
  journalId: number
  processor: string
}

async function insertCredit(tx: Tx, ctx: Ctx, credit: NewCredit): Promise<void> {
  await tx
    .insertInto('statement_credits')
    .values({
      public_id: credit.creditId,
      member_id: credit.memberId,
      journal_id: credit.journalId,
      amount_cents: credit.amountCents,
      target_type: credit.targetType,
      target_label: credit.targetLabel,
      processor: credit.processor,
      status: 'pending',
      created_at: ctx.now(),
    })
    .execute()
}
