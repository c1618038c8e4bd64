import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { interpolate as fillIn } from '../../platform/interpolate.ts'
import { DAY, dayIn } from '../../platform/time.ts'
import type {
  AwardStatus,
  DisplayStatus,
  RewardTransaction,
  TransactionStatus,
  TransactionTypeCode,
} from '../earning/contract.ts'
import { rewardsCopy } from '../earning/copy.ts'
import { displayStatus, explain, reviewDays, shortDate } from '../earning/explain.ts'
import { withTerms } from './award-terms.ts'
import { redecideTransaction } from './decide.ts'
import { findTransactionByPublicId, reasonOf, type TransactionRow } from './store.ts'

export { findTransactionByPublicId, hasTransactions } from './store.ts'

/** Returns one transaction of a member, as listed; undefined when it belongs to another member. */
export async function readTransaction(
  ctx: Pick<Ctx, 'program' | 'now'> & { db: Db | Tx },
  memberId: number,
  publicId: string,
): Promise<RewardTransaction | undefined> {
  const transaction = await findTransactionByPublicId(ctx.db, publicId)
  if (!transaction || transaction.member_id !== memberId) return undefined
  const [listed] = await findListedTransactions(ctx.db, [transaction.id])
  return listed && toRewardTransaction(ctx, listed)
}

export type ListedTransaction = TransactionRow & {
  merchantPublicId: string | null
  participating: boolean | null
  leftOn: string | null
  timeZone: string | null
}

export async function findListedTransactions(db: Db | Tx, ids: readonly number[]): Promise<ListedTransaction[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('transactions')
    .leftJoin('merchants', 'merchants.id', 'transactions.merchant_id')
    .selectAll('transactions')
    .select([
      'merchants.public_id as merchantPublicId',
      'merchants.participating as participating',
      'merchants.left_on as leftOn',
      'merchants.time_zone as timeZone',
    ])
    .where('transactions.id', '=', sql<number>`any(${ids})`)
    .execute()
  return withTerms(db, rows)
}

/** Returns a transaction as members see it: with the award that it has by now. */
export function toRewardTransaction(ctx: Pick<Ctx, 'program' | 'now'>, stored: ListedTransaction): RewardTransaction {
  const { config } = ctx.program
  const transaction = withOverdueReview(stored, ctx.now())
  const awardStatus = transaction.award_status as AwardStatus
  // Of a manual entry, only the day is known.
  const timeZone = transaction.type_code === 'M' ? null : transaction.timeZone
  const today = dayIn(ctx.now(), transaction.timeZone ?? config.timeZone)
  return {
    kind: 'transaction',
    sourceTransactionId: transaction.public_id,
    merchantId: transaction.merchantPublicId,
    merchantName: transaction.merchant_name,
    transactionCreatedAt: transaction.occurred_at.toISOString(),
    timeZone,
    transactionStatus: transactionStatusOf(awardStatus, sendsCredits(ctx)),
    transactionTypeCode: transaction.type_code as typeof TransactionTypeCode._output,
    dineAmount: amountOf(transaction) / 100,
    refundedAmount: Math.min(transaction.refunded_cents, amountOf(transaction)) / 100,
    benefitAmount: transaction.unit === 'cent' ? transaction.benefit / 100 : transaction.benefit,
    ticketAmount: transaction.ticket_cents / 100,
    cardLastFour: transaction.card_last_four,
    paidAt: transaction.paid_at?.toISOString() ?? null,
    date: dayIn(transaction.occurred_at, timeZone ?? 'UTC'),
    awardStatus,
    status: statusOfRow(transaction),
    activeMerchant: transaction.participating === true && (transaction.leftOn === null || today < transaction.leftOn),
    reason: explain(config, {
      reason: reasonOf(transaction),
      merchantName: transaction.merchant_name,
      benefit: transaction.benefit,
      awardStatus,
    }),
  }
}

/** A review that is overdue earns nothing, also before the job that expires it has run. */
function withOverdueReview(transaction: ListedTransaction, now: Date): ListedTransaction {
  const isOverdue = now.getTime() >= transaction.occurred_at.getTime() + (reviewDays + 1) * DAY
  if (!isOverdue || statusOfRow(transaction) !== 'review') return transaction
  const award = redecideTransaction(transaction, { review: 'expired' })?.award
  if (!award) return transaction
  const { benefit, awardStatus, reason } = award
  return { ...transaction, benefit, award_status: awardStatus, reason: reason as unknown as TransactionRow['reason'] }
}

const amountOf = (transaction: TransactionRow) =>
  transaction.cleared_at === null ? transaction.ticket_cents : transaction.cleared_cents

type StatusRow = Pick<TransactionRow, 'award_status' | 'reason' | 'type_code' | 'benefit' | 'cleared_at' | 'paid_at'>

/** Returns the status of a transaction as every page and file names it. */
function statusOfRow(row: StatusRow): DisplayStatus {
  return displayStatus({
    awardStatus: row.award_status as AwardStatus,
    code: reasonOf(row).code,
    typeCode: row.type_code,
    benefit: row.benefit,
    cleared: row.cleared_at !== null,
    paid: row.paid_at !== null,
  })
}

/** Returns the same as text outside of a program's pages: in the console, whose days are UTC, and in a member's data. */
export function statusLabelOf(row: StatusRow, timeZone = 'UTC'): string {
  const text = rewardsCopy[`rewards.status.${statusOfRow(row)}`]
  return fillIn(text, { paidOn: row.paid_at ? shortDate(row.paid_at.toISOString(), timeZone) : '' })
}

/** Returns the status text of every transaction of a member, by public id. */
export async function loadStatuses(
  { db, program }: Pick<Ctx, 'db' | 'program'>,
  memberId: number,
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('transactions')
    .select(['public_id', 'award_status', 'reason', 'type_code', 'benefit', 'cleared_at', 'paid_at'])
    .where('member_id', '=', memberId)
    .execute()
  return new Map(rows.map((row) => [row.public_id, statusLabelOf(row, program.config.timeZone)]))
}

/** Where credits are sent, an award in the balance is still pending; elsewhere it is paid at once. */
function transactionStatusOf(awardStatus: AwardStatus, creditsAreSent: boolean): TransactionStatus {
  if (awardStatus === 'Awarded') return creditsAreSent ? 'pending' : 'paid'
  return awardStatus.toLowerCase() as TransactionStatus
}

/** Returns whether the program pays rewards as statement credits. */
export function sendsCredits(ctx: Pick<Ctx, 'program'>): boolean {
  return ctx.program.config.currencyType === 'Credit'
}
