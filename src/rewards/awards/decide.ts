import type { Tx } from '../../platform/database/db.ts'
import { addDays } from '../../platform/time.ts'
import { hasMonthlyLimit, monthOf } from '../earning/offers.ts'
import { type Award, computeAward, countedCentsOf, dinesWithoutReward } from '../earning/rules.ts'
import type { AwardInput, MerchantTerms } from '../earning/terms.ts'
import type { MatchedTransaction } from './match.ts'
import {
  findLimitedMonths,
  listTransactionsOfMonths,
  type MonthRange,
  reasonOf,
  type TransactionFields,
  type TransactionRow,
} from './store.ts'

/** A transaction with its stored row and its award, whose `reason.inputs` are all that it was computed from. */
export interface TransactionDecision {
  /** Undefined for a new transaction. */
  existing: TransactionRow | undefined
  fields: TransactionFields
  award: Award
}

/**
 * Computes the award of a transaction by itself; `decideAwards` adds the limits of its month. Whether it has one follows
 * from the terms that decide it, which may be others than those stored before.
 */
export function decideTransaction({ existing, fields, input }: MatchedTransaction): TransactionDecision {
  const isLimited = hasMonthlyLimit(input.merchant)
  const current = fields.is_limited === isLimited ? fields : { ...fields, is_limited: isLimited }
  return { existing, fields: current, award: computeAward(input) }
}

/**
 * Decides a stored transaction again; `change` overrides its inputs. Returns null for manual entries, which an operator
 * decided.
 */
export function redecideTransaction(existing: TransactionRow, change: Partial<AwardInput>): TransactionDecision | null {
  const inputs: AwardInput | undefined = reasonOf(existing).inputs
  return inputs ? decideTransaction({ existing, fields: existing, input: { ...inputs, ...change } }) : null
}

/** Returns whether a transaction of this status is posted to the ledger. */
export function isPostedStatus(status: string): boolean {
  return status === 'Awarded' || status === 'Paid'
}

/** Returns the status to store: a paid transaction stays `Paid` while its award is above zero. */
export function statusToStore({ existing, award }: TransactionDecision): string {
  const isPaid = existing?.paid_at != null
  return isPaid && award.awardStatus === 'Awarded' ? 'Paid' : award.awardStatus
}

/** Returns whether a transaction is or was posted to the ledger. */
function isPosted(transaction: TransactionDecision): boolean {
  return (
    isPostedStatus(statusToStore(transaction)) ||
    (transaction.existing !== undefined && isPostedStatus(transaction.existing.award_status))
  )
}

/** Returns whether a stored transaction is a dine: it is final, and earned or was only too small or beyond a limit. */
export function isDine(row: Pick<TransactionRow, 'award_status' | 'benefit' | 'reason'>): boolean {
  if (isPostedStatus(row.award_status)) return row.benefit > 0
  return row.award_status === 'Forfeit' && dinesWithoutReward.has(reasonOf(row).code)
}

/**
 * Returns whether a decision may change balances: the transaction is or was posted, it is a dine that bonuses count, or it
 * is a refunded meal that takes the place of the credit of its claim.
 */
export function affectsBalance(transaction: TransactionDecision): boolean {
  const { existing, award, fields } = transaction
  const isNowDine = award.awardStatus === 'Forfeit' && dinesWithoutReward.has(award.reason.code)
  const wasDine = existing !== undefined && isDine(existing)
  return isPosted(transaction) || isNowDine || wasDine || fields.refunded_cents > 0
}

/**
 * Returns whether a decision differs from the stored row. A row that was only decided again is its own `fields`: of it
 * only the award is compared. Any other decision is written.
 */
export function isChanged(transaction: TransactionDecision): boolean {
  const { existing, fields, award } = transaction
  if (!existing || existing !== fields) return true
  const was = reasonOf(existing)
  return (
    existing.benefit !== award.benefit ||
    existing.award_status !== statusToStore(transaction) ||
    was.code !== award.reason.code ||
    was.inputs.review !== award.reason.inputs.review ||
    was.inputs.waiting !== award.reason.inputs.waiting ||
    was.inputs.earlierVisits !== award.reason.inputs.earlierVisits ||
    was.inputs.earlierCountedCents !== award.reason.inputs.earlierCountedCents
  )
}

/** A member's transactions at one restaurant in one local month: the scope of monthly limits. */
interface Month {
  memberId: number
  merchantId: number
  /** `YYYY-MM`. */
  month: string
}

/** Transactions with their months; null without a member or a restaurant. */
type WithMonths = ReadonlyMap<TransactionDecision, Month | null>

/**
 * Decides transactions, and those that share their months, by time: an earlier one that arrives late, or is refunded,
 * changes which visits count. Writes nothing.
 */
export async function decideAwards(tx: Tx, decisions: readonly TransactionDecision[]): Promise<TransactionDecision[]> {
  const own: WithMonths = new Map(decisions.map((decision) => [decision, monthOfDecision(decision)]))
  const months = affectedMonths(own)
  const all: WithMonths = new Map([...own, ...(await loadNeighbors(tx, own, months))])
  const byMonth = Map.groupBy(all.keys(), (decision) => keyOf(all.get(decision) ?? null))
  const decided = new Map([...all.keys()].map((decision) => [decision.fields.network_id, decision]))
  for (const month of months) {
    const transactions = byMonth.get(keyOf(month)) ?? []
    if (!transactions.some(({ fields }) => fields.is_limited)) continue
    for (const transaction of decideMonth(transactions)) decided.set(transaction.fields.network_id, transaction)
  }
  return [...decided.values()]
}

function decideMonth(transactions: readonly TransactionDecision[]): TransactionDecision[] {
  const inOrder = transactions.toSorted(
    (a, b) =>
      a.fields.occurred_at.getTime() - b.fields.occurred_at.getTime() ||
      (a.fields.network_id < b.fields.network_id ? -1 : 1),
  )
  const earlier = { visits: 0, countedCents: 0 }
  return inOrder.map((transaction) => {
    const decided = decideAfterEarlier(transaction, earlier)
    const { benefit } = decided.award
    if (benefit > 0) earlier.visits++
    earlier.countedCents += countedCentsOf(decided.award)
    return decided
  })
}

/** Returns the transaction, decided with these totals of earlier visits in its month. */
function decideAfterEarlier(
  decision: TransactionDecision,
  earlier: { visits: number; countedCents: number },
): TransactionDecision {
  const { earlierCountedCents = 0, ...input } = decision.award.reason.inputs
  if (input.earlierVisits === earlier.visits && earlierCountedCents === earlier.countedCents) return decision
  return decideTransaction({
    ...decision,
    input: {
      ...input,
      earlierVisits: earlier.visits,
      ...(earlier.countedCents > 0 && { earlierCountedCents: earlier.countedCents }),
    },
  })
}

/** Returns the months of these transactions, and those in which they were counted before a message moved them. */
function affectedMonths(transactions: WithMonths): Month[] {
  const before = [...transactions.keys()].flatMap((decision) =>
    decision.existing && isMoved(decision, decision.existing) ? [monthOfRow(decision.existing)] : [],
  )
  const months = [...transactions.values(), ...before].filter((month) => month !== null)
  return [...new Map(months.map((month) => [keyOf(month), month])).values()]
}

/** Returns whether a stored transaction may have been counted in another month. */
function isMoved({ fields, award }: TransactionDecision, existing: TransactionRow): boolean {
  if (!reasonOf(existing).inputs) return false
  const isSameMatch = existing.member_id === fields.member_id && existing.merchant_id === fields.merchant_id
  const isSameTime = existing.occurred_at.getTime() === fields.occurred_at.getTime()
  return !isSameMatch || !isSameTime || existing.terms?.merchant !== award.reason.inputs.merchant
}

/** Returns the other transactions of months with a limit: in other months none depends on another. */
async function loadNeighbors(tx: Tx, transactions: WithMonths, months: readonly Month[]): Promise<WithMonths> {
  const known = new Set([...transactions.keys()].map(({ fields }) => fields.network_id))
  const { limited, rows } = await loadLimitedMonths(tx, transactions, months)
  const wanted = new Set(limited.map(keyOf))
  const others = new Map(rows.filter((row) => !known.has(row.network_id)).map((row) => [row.network_id, row]))
  const withMonths = [...others.values()].map((row) => ({ row, month: monthOfRow(row) }))
  return new Map(
    withMonths
      .filter(({ month }) => wanted.has(keyOf(month)))
      .map(({ row, month }) => [decideTransaction({ existing: row, fields: row, input: reasonOf(row).inputs }), month]),
  )
}

/** Returns the months with a limit and their stored transactions: one of these, or a stored one, has the limit. */
async function loadLimitedMonths(
  tx: Tx,
  transactions: WithMonths,
  months: readonly Month[],
): Promise<{ limited: Month[]; rows: TransactionRow[] }> {
  const own = new Set([...transactions].filter(([{ fields }]) => fields.is_limited).map(([, month]) => keyOf(month)))
  const limitedForSure = months.filter((month) => own.has(keyOf(month)))
  const maybeLimited = months.filter((month) => !own.has(keyOf(month)))
  const [rows, found] = await Promise.all([
    listTransactionsOfMonths(tx, limitedForSure.map(rangeOf)),
    findLimitedMonths(tx, maybeLimited.map(rangeOf)),
  ])
  const others = maybeLimited.filter((_, index) => found.has(index))
  return {
    limited: [...limitedForSure, ...others],
    rows: [...rows, ...(await listTransactionsOfMonths(tx, others.map(rangeOf)))],
  }
}

function rangeOf({ memberId, merchantId, month }: Month): MonthRange {
  return {
    member_id: memberId,
    merchant_id: merchantId,
    // One more day on either side, because local time differs from UTC.
    from: addDays(`${month}-01`, -1),
    until: addDays(`${month}-01`, 33),
  }
}

function monthOfDecision({ fields, award }: TransactionDecision): Month | null {
  return monthIn(fields, award.reason.inputs.merchant)
}

function monthOfRow(row: TransactionRow): Month | null {
  return monthIn(row, reasonOf(row).inputs.merchant)
}

function monthIn(
  { member_id: memberId, merchant_id: merchantId, occurred_at: dinedAt }: TransactionFields,
  merchant: MerchantTerms | null,
): Month | null {
  if (memberId === null || merchantId === null || !merchant) return null
  return { memberId, merchantId, month: monthOf(dinedAt, merchant.timeZone) }
}

const keyOf = (month: Month | null) => (month ? `${month.memberId} ${month.merchantId} ${month.month}` : '')
