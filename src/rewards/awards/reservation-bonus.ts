import { isOnTime } from '../../dining/reservations/rules.ts'
import { type PromisedEvening, reservationsAt } from '../../dining/reservations/service.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { addDays, DAY, MINUTE } from '../../platform/time.ts'
import { ruleVersion } from '../earning/rules.ts'
import { unitOf } from '../earning/terms.ts'
import { announceActivity } from '../ledger/announce-activity.ts'
import { bringTo, rewardLegs } from '../ledger/entries.ts'
import { bonusLegs } from '../settlement/shares.ts'
import { followMembers } from './follow-meals.ts'
import { standsInLedger } from './open-meal.ts'
import { findMeal, type MealRow, mealsOfMonths, reasonOf, settlementOf } from './store.ts'
import { saveBonus } from './write-meals.ts'

/** Reservations of one restaurant that are further apart can never be honored by the same transaction. */
const apart = 7 * DAY

/** Returns whether a transaction may affect a reservation: it may honor it, or a competing one. */
export function mayHonor(
  { member_id, merchant_id, dined_at }: Pick<MealRow, 'member_id' | 'merchant_id' | 'dined_at'>,
  { memberId, merchantId, startsAt }: PromisedEvening,
): boolean {
  return (
    member_id === memberId && merchant_id === merchantId && Math.abs(dined_at.getTime() - startsAt.getTime()) < apart
  )
}

/**
 * Posts the bonuses of reservations. A confirmed reservation earns its bonus when a card was authorized for a rewarded
 * transaction within two hours of the reserved time, and after that time was agreed on. A transaction honors one
 * reservation, and a day at a restaurant pays once, however many tables were booked. The bonus of a reservation that is
 * no longer confirmed is reversed. A bonus is an entry of its own beside the transaction. `promised` holds all
 * reservations near those that changed. The caller holds the locks of the members. Returns the members whose balance
 * changed, with the card of the transaction.
 */
export async function settleReservationBonuses(
  tx: Tx,
  promised: readonly PromisedEvening[],
): Promise<Map<number, number | null>> {
  const meals = await dinesOf(tx, promised)
  const paidEvenings = new Set<string>()
  const honoring = new Set<number>()
  const moved = new Map<number, number | null>()
  // The earliest reservation takes the earliest transaction, which leaves the later ones the most choice.
  for (const promise of promised.toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime())) {
    const evening = keyOf(promise)
    const meal = paidEvenings.has(evening)
      ? undefined
      : meals.find((each) => !honoring.has(each.id) && honors(each, promise))
    if (meal) {
      paidEvenings.add(evening)
      honoring.add(meal.id)
    }
    if (await settleOne(tx, promise, meal)) moved.set(promise.memberId, meal?.card_id ?? null)
  }
  return moved
}

export interface ChangedReservation {
  memberId: number
  merchantId: number
  /** Its public id. */
  publicId: string
  /** Its previous and current local dates. */
  dates: readonly string[]
}

/**
 * Settles the bonuses that depend on a reservation which was confirmed, changed or canceled in this transaction, with
 * all effects of changed balances. The caller holds the member's lock.
 */
export async function settleReservationBonus(tx: Tx, ctx: Ctx, changed: ChangedReservation): Promise<void> {
  const all = await reservationsAt(tx, changed)
  const near = (date: string) => changed.dates.some((each) => Math.abs(Date.parse(each) - Date.parse(date)) < apart)
  const concerned = all.filter(({ publicId, localDate }) => publicId === changed.publicId || near(localDate))
  const moved = await settleReservationBonuses(tx, concerned)
  if (moved.size === 0) return
  await followMembers(tx, ctx, moved)
  await announceActivity(tx, ctx.partnerId, [...moved.keys()])
}

const keyOf = ({ memberId, merchantId, localDate }: PromisedEvening) => `${memberId} ${merchantId} ${localDate}`

/** Returns rewarded transactions around the dates of these reservations, the earliest first. */
async function dinesOf(tx: Tx, promised: readonly PromisedEvening[]): Promise<MealRow[]> {
  const evenings = new Map(promised.filter(({ stands }) => stands).map((promise) => [keyOf(promise), promise]))
  const rows = await mealsOfMonths(
    tx,
    [...evenings.values()].map(({ memberId, merchantId, localDate }) => ({
      member_id: memberId,
      merchant_id: merchantId,
      // One more day on either side, because the columns hold UTC.
      from: addDays(localDate, -1),
      until: addDays(localDate, 2),
    })),
  )
  const rewarded = rows.filter(({ award_status, benefit }) => standsInLedger(award_status) && benefit > 0)
  const byId = new Map(rewarded.map((row) => [row.id, row]))
  return [...byId.values()].toSorted((a, b) => a.dined_at.getTime() - b.dined_at.getTime() || a.id - b.id)
}

function honors(meal: MealRow, { memberId, merchantId, startsAt, promisedAt, stands }: PromisedEvening) {
  return (
    stands &&
    meal.member_id === memberId &&
    meal.merchant_id === merchantId &&
    isOnTime(meal.dined_at, startsAt) &&
    // Networks report the time of a purchase to the minute.
    meal.dined_at.getTime() > promisedAt.getTime() - MINUTE
  )
}

async function settleOne(tx: Tx, promise: PromisedEvening, meal: MealRow | undefined): Promise<boolean> {
  const { memberId, publicId, bonus } = promise
  const amount = meal ? (bonus?.amount ?? 0) : 0
  const code = promise.stands ? 'reservationBonus' : 'reservationCanceled'
  const reason = { code, rule: ruleVersion, reservation: publicId, amount }
  const sourceId = `reservation:${publicId}`
  const program = meal && reasonOf(meal).inputs.program
  const unit = program && unitOf(program.currencyType)
  const legs = meal && unit ? [...rewardLegs({ memberId, unit, amount }), ...bonusLegs(amount, settlementOf(meal))] : []
  const posted = await bringTo(tx, [{ sourceId, legs, reason, isNew: false }])
  if (posted.size === 0) return false
  // A reversed bonus keeps the transaction beside which it was posted.
  const beside = meal ?? (await findMeal(tx, sourceId))
  if (!beside) throw new Error(`the entry of a reservation bonus that was posted is not there: ${publicId}`)
  await saveBonus(tx, beside, {
    networkId: sourceId,
    publicId,
    benefit: amount,
    unit: unit ?? beside.unit,
    reason,
  })
  return true
}
