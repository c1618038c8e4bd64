import type { Tx } from '../../platform/database/db.ts'
import { addDays } from '../../platform/time.ts'
import { monthOf } from '../earning/offers.ts'
import { type Award, computeAward, countedCentsOf } from '../earning/rules.ts'
import type { AwardInput } from '../earning/terms.ts'
import {
  findLimitedMonths,
  listTransactionsOfMonths,
  type MonthRange,
  reasonOf,
  type TransactionFields,
  type TransactionRow,
} from './store.ts'

/** A transaction being processed: its stored row, its current facts, and the award computed from them. */
export interface TransactionDecision {
  /** Undefined for a new transaction. */
  existing: TransactionRow | undefined
  fields: TransactionFields
  input: AwardInput
  award: Award
}

export function decideTransaction(
  existing: TransactionRow | undefined,
  fields: TransactionFields,
  input: AwardInput,
): TransactionDecision {
  return { existing, fields, input, award: computeAward(input) }
}

/**
 * Opens a stored transaction for a new decision; `change` overrides its inputs. Returns null for manual entries, which
 * an operator decided.
 */
export function redecideTransaction(
  existing: TransactionRow,
  change: Partial<AwardInput> = {},
): TransactionDecision | null {
  const inputs: AwardInput | undefined = reasonOf(existing).inputs
  return inputs ? decideTransaction(existing, existing, { ...inputs, ...change }) : null
}

/** Returns the transaction, decided with these totals of earlier visits in its month. */
function decideAfterEarlier(
  transaction: TransactionDecision,
  earlier: { visits: number; countedCents: number },
): TransactionDecision {
  const { earlierVisits, earlierCountedCents = 0 } = transaction.input
  if (earlierVisits === earlier.visits && earlierCountedCents === earlier.countedCents) return transaction
  const { earlierCountedCents: _, ...input } = transaction.input
  return decideTransaction(transaction.existing, transaction.fields, {
    ...input,
    earlierVisits: earlier.visits,
    ...(earlier.countedCents > 0 && { earlierCountedCents: earlier.countedCents }),
  })
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

/** Returns whether a transaction is or was posted: only then does it affect more than the list of transactions. */
export function isPosted(transaction: TransactionDecision): boolean {
  return (
    isPostedStatus(statusToStore(transaction)) ||
    (transaction.existing !== undefined && isPostedStatus(transaction.existing.award_status))
  )
}

/**
 * Returns whether a decision differs from the stored row. A row that was only decided again is its own `fields`, so only
 * its award is compared; any other decision is written.
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

/** Returns the transactions that are newly posted to the ledger. */
export function newlyPosted(changed: readonly TransactionDecision[]): TransactionDecision[] {
  return changed.filter(
    (transaction) =>
      transaction.fields.member_id !== null &&
      transaction.award.benefit > 0 &&
      isPosted(transaction) &&
      !(transaction.existing && isPostedStatus(transaction.existing.award_status) && transaction.existing.benefit > 0),
  )
}

/** A member's transactions at one restaurant in one local month: the scope of monthly limits. */
interface Month {
  memberId: number
  merchantId: number
  /** `YYYY-MM`. */
  month: string
  timeZone: string
}

/**
 * Decides transactions, and those that share their months, by time: an earlier one that arrives late, or is refunded,
 * changes which visits count. Writes nothing.
 */
export async function decideAwards(tx: Tx, decisions: readonly TransactionDecision[]): Promise<TransactionDecision[]> {
  const months = monthsOf(decisions)
  const neighbors = await loadNeighbors(tx, decisions, months)
  const all = [...decisions, ...neighbors]
  const byMonth = Map.groupBy(all, (transaction) => keyOf(monthOfTransaction(transaction)))
  const decided = new Map(all.map((transaction) => [transaction.fields.network_id, transaction]))
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

/** Returns the months of these transactions, and those in which they were counted before a message moved them. */
function monthsOf(decisions: readonly TransactionDecision[]): Month[] {
  const before = decisions.flatMap((transaction) =>
    transaction.existing && isMoved(transaction, transaction.existing) ? [monthOfRow(transaction.existing)] : [],
  )
  const months = [...decisions.map(monthOfTransaction), ...before].filter((month) => month !== null)
  return [...new Map(months.map((month) => [keyOf(month), month])).values()]
}

/** Returns whether a stored transaction may have been counted in another month. */
function isMoved({ fields, input }: TransactionDecision, existing: TransactionRow): boolean {
  if (!reasonOf(existing).inputs) return false
  const isSameMatch = existing.member_id === fields.member_id && existing.merchant_id === fields.merchant_id
  const isSameTime = existing.occurred_at.getTime() === fields.occurred_at.getTime()
  return !isSameMatch || !isSameTime || existing.terms?.merchant !== input.merchant
}

/** Returns the other transactions of months with a limit: in other months none depends on another. */
async function loadNeighbors(
  tx: Tx,
  decisions: readonly TransactionDecision[],
  months: readonly Month[],
): Promise<TransactionDecision[]> {
  const known = new Set(decisions.map(({ fields }) => fields.network_id))
  const { limited, rows } = await loadLimitedMonths(tx, decisions, months)
  const wanted = new Set(limited.map(keyOf))
  const fresh = new Map(rows.filter((row) => !known.has(row.network_id)).map((row) => [row.network_id, row]))
  return [...fresh.values()]
    .filter((row) => wanted.has(keyOf(monthOfRow(row))))
    .map((row) => decideTransaction(row, row, reasonOf(row).inputs))
}

/** Returns the months with a limit and their stored transactions: one of these, or a stored one, has the limit. */
async function loadLimitedMonths(
  tx: Tx,
  decisions: readonly TransactionDecision[],
  months: readonly Month[],
): Promise<{ limited: Month[]; rows: TransactionRow[] }> {
  const own = new Set(
    decisions.filter(({ fields }) => fields.is_limited).map((transaction) => keyOf(monthOfTransaction(transaction))),
  )
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

// Cached: called repeatedly for the same transaction, and time zone conversion is slow.
const months = new WeakMap<TransactionDecision, Month | null>()

function monthOfTransaction(transaction: TransactionDecision): Month | null {
  const known = months.get(transaction)
  if (known !== undefined) return known
  const month = monthIn(transaction)
  months.set(transaction, month)
  return month
}

function monthIn({ fields, input }: Pick<TransactionDecision, 'fields' | 'input'>): Month | null {
  const { member_id: memberId, merchant_id: merchantId, occurred_at: dinedAt } = fields
  if (memberId == null || merchantId == null || !input.merchant) return null
  const { timeZone } = input.merchant
  return { memberId, merchantId, month: monthOf(dinedAt, timeZone), timeZone }
}

function monthOfRow(row: TransactionRow): Month | null {
  return monthIn({ fields: row, input: reasonOf(row).inputs })
}

const keyOf = (month: Month | null) => (month ? `${month.memberId} ${month.merchantId} ${month.month}` : '')
