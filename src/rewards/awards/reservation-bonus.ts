import { isOnTime } from '../../dining/reservations/rules.ts'
import { type BonusReservation, listReservationsAt } from '../../dining/reservations/service.ts'
import { notifyAll } from '../../identity/notifications/service.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { addDays, DAY, MINUTE } from '../../platform/time.ts'
import { ruleVersion } from '../earning/rules.ts'
import { unitOf } from '../earning/terms.ts'
import { reconcilePostings, rewardPostings } from '../ledger/entries.ts'
import { bonusPostings } from '../settlement/shares.ts'
import { bonusNotification } from './bonus-notification.ts'
import { isDine } from './decide.ts'
import { saveBonus } from './extra-entries.ts'
import { findTransaction, listTransactionsOfMonths, reasonOf, settlementTermsOf, type TransactionRow } from './store.ts'

/** Reservations of one restaurant that are further apart can never be honored by the same transaction. */
export const maxDistanceMs = 7 * DAY

/** Returns whether a transaction may affect a reservation: it may honor it, or a competing one. */
export function mayHonor(
  { member_id, merchant_id, occurred_at }: Pick<TransactionRow, 'member_id' | 'merchant_id' | 'occurred_at'>,
  { memberId, merchantId, startsAt }: BonusReservation,
): boolean {
  return (
    member_id === memberId &&
    merchant_id === merchantId &&
    Math.abs(occurred_at.getTime() - startsAt.getTime()) < maxDistanceMs
  )
}

/**
 * Posts the bonuses of reservations. A confirmed reservation earns its bonus when a card was authorized for a dine
 * (see `isDine`) within two hours of the reserved time, and after that time was agreed on. A transaction honors one
 * reservation, and a day at a restaurant pays once, however many tables were booked. A reservation without a bonus, from
 * before its program gave any, takes neither a transaction nor a day from the others. The bonus of a reservation that is
 * no longer confirmed is reversed. A bonus is an entry of its own beside the transaction. `reservations` holds all
 * near those that changed. The caller holds the locks of the members. Returns the members whose balance
 * changed, with the card of the transaction.
 */
export async function reconcileReservationBonuses(
  tx: Tx,
  ctx: Ctx,
  reservations: readonly BonusReservation[],
): Promise<Map<number, number | null>> {
  const transactions = await listDines(tx, reservations)
  const paidDays = new Set<string>()
  const honoring = new Set<number>()
  const cardsByMember = new Map<number, number | null>()
  // The earliest reservation takes the earliest transaction, which leaves the later ones the most choice.
  for (const reservation of reservations.toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime())) {
    const day = keyOf(reservation)
    const transaction = paidDays.has(day)
      ? undefined
      : transactions.find((each) => !honoring.has(each.id) && honors(each, reservation))
    if (transaction) {
      paidDays.add(day)
      honoring.add(transaction.id)
    }
    if (await reconcileOne(tx, ctx, reservation, transaction))
      cardsByMember.set(reservation.memberId, transaction?.card_id ?? null)
  }
  return cardsByMember
}

const keyOf = ({ memberId, merchantId, localDate }: BonusReservation) => `${memberId} ${merchantId} ${localDate}`

/** Returns dines around the dates of these reservations, the earliest first. */
async function listDines(tx: Tx, reservations: readonly BonusReservation[]): Promise<TransactionRow[]> {
  const byDay = new Map(
    reservations.filter(({ isConfirmed }) => isConfirmed).map((reservation) => [keyOf(reservation), reservation]),
  )
  const rows = await listTransactionsOfMonths(
    tx,
    [...byDay.values()].map(({ memberId, merchantId, localDate }) => ({
      member_id: memberId,
      merchant_id: merchantId,
      // One more day on either side, because the columns hold UTC.
      from: addDays(localDate, -1),
      until: addDays(localDate, 2),
    })),
  )
  const byId = new Map(rows.filter(isDine).map((row) => [row.id, row]))
  return [...byId.values()].toSorted((a, b) => a.occurred_at.getTime() - b.occurred_at.getTime() || a.id - b.id)
}

function honors(
  transaction: TransactionRow,
  { memberId, merchantId, startsAt, agreedAt, isConfirmed, bonus }: BonusReservation,
) {
  return (
    isConfirmed &&
    bonus !== null &&
    transaction.member_id === memberId &&
    transaction.merchant_id === merchantId &&
    isOnTime(transaction.occurred_at, startsAt) &&
    // Networks report the time of a purchase to the minute.
    transaction.occurred_at.getTime() > agreedAt.getTime() - MINUTE
  )
}

async function reconcileOne(
  tx: Tx,
  ctx: Ctx,
  reservation: BonusReservation,
  transaction: TransactionRow | undefined,
): Promise<boolean> {
  const { memberId, publicId, bonus } = reservation
  const amount = transaction ? (bonus?.amount ?? 0) : 0
  const code = reservation.isConfirmed ? 'reservationBonus' : 'reservationCanceled'
  const reason = { code, rule: ruleVersion, reservation: publicId, amount }
  const sourceId = `reservation:${publicId}`
  const program = transaction && reasonOf(transaction).inputs.program
  const unit = program && unitOf(program.currencyType)
  const postings =
    transaction && unit
      ? [...rewardPostings({ memberId, unit, amount }), ...bonusPostings(amount, settlementTermsOf(transaction))]
      : []
  const posted = await reconcilePostings(tx, [{ sourceId, postings, reason, isNew: false }])
  if (posted.size === 0) return false
  // A reversed bonus keeps the transaction beside which it was posted.
  const anchor = transaction ?? (await findTransaction(tx, sourceId))
  if (!anchor) throw new Error(`the entry of a reservation bonus that was posted is not there: ${publicId}`)
  await saveBonus(tx, anchor, {
    networkId: sourceId,
    publicId,
    benefit: amount,
    unit: unit ?? anchor.unit,
    reason,
  })
  if (amount > 0) {
    const { merchant_name: merchant } = anchor
    await notifyAll(tx, [
      bonusNotification(ctx, { memberId, sourceId, amount, named: { merchant }, variant: 'reserved' }),
    ])
  }
  return true
}

/** Why the bonus of a reservation is, or is not, paid. */
export interface BonusExplanation {
  code: 'paid' | 'noBonus' | 'notConfirmed' | 'noMeal' | 'dayPaid' | 'noneFits'
  /** The member's transactions at the restaurant around that day. */
  meals: { id: string; dinedAt: Date; code: 'honors' | 'noDine' | 'notOnTime' | 'beforeAgreed' | 'honorsAnother' }[]
}

/** Explains the bonus of a reservation, with the rules that pay it. */
export async function explainReservationBonus(
  db: Db,
  reservation: { memberId: number; merchantId: number; publicId: string },
): Promise<BonusExplanation> {
  const all = await listReservationsAt(db, reservation)
  const own = all.find(({ publicId }) => publicId === reservation.publicId)
  const paid = (await findTransaction(db, `reservation:${reservation.publicId}`))?.benefit ?? 0
  if (!own) return { code: 'notConfirmed', meals: [] }
  const rows = await listTransactionsOfMonths(db, [
    {
      member_id: own.memberId,
      merchant_id: own.merchantId,
      from: addDays(own.localDate, -1),
      until: addDays(own.localDate, 2),
    },
  ])
  const meals = rows.map((row) => ({ id: row.public_id, dinedAt: row.occurred_at, code: mealCode(row, own, paid > 0) }))
  return { code: bonusCode(own, all, { isPaid: paid > 0, meals }), meals }
}

function mealCode(
  row: TransactionRow,
  own: BonusReservation,
  isPaid: boolean,
): BonusExplanation['meals'][number]['code'] {
  if (!isDine(row)) return 'noDine'
  if (!isOnTime(row.occurred_at, own.startsAt)) return 'notOnTime'
  if (row.occurred_at.getTime() <= own.agreedAt.getTime() - MINUTE) return 'beforeAgreed'
  return isPaid ? 'honors' : 'honorsAnother'
}

function bonusCode(
  own: BonusReservation,
  all: readonly BonusReservation[],
  { isPaid, meals }: { isPaid: boolean; meals: BonusExplanation['meals'] },
): BonusExplanation['code'] {
  if (isPaid) return 'paid'
  if (!own.isConfirmed) return 'notConfirmed'
  if (own.bonus === null) return 'noBonus'
  if (meals.length === 0) return 'noMeal'
  const hasOther = all.some(
    (other) => other.publicId !== own.publicId && other.isConfirmed && keyOf(other) === keyOf(own),
  )
  return hasOther && meals.some(({ code }) => code === 'honorsAnother') ? 'dayPaid' : 'noneFits'
}
