import { type BonusReservation, listBonusReservations } from '../../dining/reservations/service.ts'
import type { Tx } from '../../platform/database/db.ts'
import { addDays } from '../../platform/time.ts'
import { monthOf } from '../earning/offers.ts'
import { countedCentsOf } from '../earning/rules.ts'
import { reconcilePostings, rewardPostings, type TargetPostings } from '../ledger/entries.ts'
import { settlementPostings } from '../settlement/shares.ts'
import { listClaimCredits, newlyPosted, replaceCredits } from './replace-credits.ts'
import { mayHonor, reconcileReservationBonuses } from './reservation-bonus.ts'
import { findLimitedMonths, listTransactionsOfMonths, type MonthRange, reasonOf, type TransactionRow } from './store.ts'
import {
  decideAfterEarlier,
  decideTransaction,
  isPosted,
  statusToStore,
  type TransactionDecision,
} from './transaction-decision.ts'
import { storeNewTerms, writeTransactions } from './write-transactions.ts'

/** A member's transactions at one restaurant in one local month: the scope of monthly limits. */
interface Month {
  memberId: number
  merchantId: number
  /** `YYYY-MM`. */
  month: string
  timeZone: string
}

/** The awards of transactions, and of those that share their months. */
export interface DecidedAwards {
  transactions: readonly TransactionDecision[]
  /** The reservations of their members. */
  reservations: readonly BonusReservation[]
}

/**
 * Decides transactions, and those that share their months, by time: an earlier one that arrives late, or is refunded,
 * changes which visits count. Writes nothing.
 */
export async function decideAwards(tx: Tx, decisions: readonly TransactionDecision[]): Promise<DecidedAwards> {
  const months = monthsOf(decisions)
  const [neighbors, reservations] = await Promise.all([
    loadNeighbors(tx, decisions, months),
    listBonusReservations(
      tx,
      months.map(({ memberId }) => memberId),
    ),
  ])
  const all = [...decisions, ...neighbors]
  const byMonth = Map.groupBy(all, (transaction) => keyOf(monthOfTransaction(transaction)))
  const decided = new Map(all.map((transaction) => [transaction.fields.network_id, transaction]))
  for (const month of months) {
    const transactions = byMonth.get(keyOf(month)) ?? []
    if (!transactions.some(({ fields }) => fields.is_limited)) continue
    for (const transaction of decideMonth(transactions)) decided.set(transaction.fields.network_id, transaction)
  }
  return { transactions: [...decided.values()], reservations }
}

/**
 * Writes what changed, and posts the differences to the ledger. The caller holds the locks of the members. Returns the
 * written transactions, with their previous rows.
 */
export async function writeDecidedAwards(
  tx: Tx,
  { transactions, reservations }: DecidedAwards,
): Promise<TransactionDecision[]> {
  const changed = transactions.filter(isChanged)
  const posted = newlyPosted(changed)
  const [credits] = await Promise.all([
    listClaimCredits(
      tx,
      posted.flatMap(({ fields }) => fields.member_id ?? []),
    ),
    writeTransactions(
      tx,
      changed.map((transaction) => ({ ...transaction, status: statusToStore(transaction) })),
    ),
    reconcilePostings(tx, changed.map(toTargetPostings).filter(isPossible)),
  ])
  if (credits.length > 0) await replaceCredits(tx, posted, credits)
  if (reservations.length === 0) return changed
  const postedChanges = changed.filter(isPosted)
  await reconcileReservationBonuses(
    tx,
    reservations.filter((reservation) => postedChanges.some((transaction) => mayAffect(transaction, reservation))),
  )
  return changed
}

/** Returns whether a transaction may honor a reservation, or did before a message moved it. */
function mayAffect({ fields, existing }: TransactionDecision, reservation: BonusReservation): boolean {
  return [fields, ...(existing ? [existing] : [])].some((row) => mayHonor(row, reservation))
}

/** Decides transactions and writes the results. The caller holds the locks of the members. */
export async function decideAndWrite(
  tx: Tx,
  decisions: readonly TransactionDecision[],
): Promise<TransactionDecision[]> {
  const [decided] = await Promise.all([decideAwards(tx, decisions), storeNewTerms(tx, decisions)])
  return writeDecidedAwards(tx, decided)
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

function isChanged(transaction: TransactionDecision): boolean {
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

/** Returns the postings due: only for what was cleared and is no longer held back, not for an authorization. */
function toTargetPostings({
  existing,
  fields,
  award,
}: TransactionDecision): TargetPostings & { memberId: number | null } {
  const memberId = fields.member_id ?? null
  const isDue = award.awardStatus === 'Awarded' && memberId !== null
  const { unit, benefit, reason } = award
  return {
    memberId,
    sourceId: fields.network_id,
    postings: isDue
      ? [
          ...rewardPostings({ memberId, unit, amount: benefit }),
          ...settlementPostings(fields.merchant_id ?? null, award),
        ]
      : [],
    // The terms are stored with the transaction and never change: the journal entry names what did.
    reason: postedReason(reason),
    // An authorization was never posted.
    isNew: !existing || existing.stage === 'authorized',
  }
}

const isPossible = ({ memberId, postings, isNew }: TargetPostings & { memberId: number | null }) =>
  memberId !== null && (!isNew || postings.length > 0)

function postedReason({ inputs, ...postedFields }: TransactionDecision['award']['reason']) {
  const { stage, cents, refundedCents, earlierVisits } = inputs
  return { ...postedFields, inputs: { stage, cents, refundedCents, earlierVisits } }
}
