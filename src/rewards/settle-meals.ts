import type { Tx } from '../kit/server/db.ts'
import { localMoment } from '../kit/time.ts'
import { postAward, postedFor } from './post-award.ts'
import { settleReservationBonuses } from './reservation-bonus.ts'
import { type Decision, type Dinner, decideAward } from './rules.ts'
import { changeDecision, type MealRow, mealsAround, reasonOf } from './store.ts'

export interface Month {
  memberId: number
  merchantId: number
  /** Any instant within the month. */
  dinedAt: Date
  timeZone: string
}

/**
 * Decides a member's meals at a restaurant in one local month anew, in the order in which they were eaten, and
 * posts the differences: an earlier meal that arrives late, or is refunded, changes which visits count. The
 * caller holds the member's lock.
 */
export async function settleMonth(tx: Tx, { memberId, merchantId, dinedAt, timeZone }: Month): Promise<void> {
  const month = monthOf(dinedAt, timeZone)
  const around = await mealsAround(tx, { memberId, merchantId, dinedAt })
  const meals = around.filter((meal) => monthOf(meal.dined_at, timeZone) === month)
  let visits = 0
  const decided = meals.map((meal) => {
    const decision = decideAward({ ...reasonOf(meal).inputs, earlierVisits: visits })
    if (decision.benefit > 0) visits++
    return { meal, decision }
  })
  await settle(tx, memberId, decided)
  await settleReservationBonuses(tx, memberId, { merchantId, timeZone }, decided)
}

/** Decides about a kept meal anew, and about those that depend on it. The caller holds the member's lock. */
export async function settleAgain(tx: Tx, memberId: number, meal: MealRow): Promise<void> {
  const inputs: Dinner | undefined = reasonOf(meal).inputs
  // Entries made by hand were decided by a person.
  if (!inputs) return
  if (meal.merchant_id === null || !inputs.merchant) return settleAlone(tx, memberId, meal)
  const { timeZone } = inputs.merchant
  return settleMonth(tx, { memberId, merchantId: meal.merchant_id, dinedAt: meal.dined_at, timeZone })
}

/** Posts what one meal is worth by its kept decision, for a meal whose restaurant is not known. */
export async function settleAlone(tx: Tx, memberId: number, meal: MealRow): Promise<void> {
  await settle(tx, memberId, [{ meal, decision: decideAward(reasonOf(meal).inputs) }])
}

export function monthOf(instant: Date, timeZone: string): string {
  return localMoment(instant, timeZone).date.slice(0, 7)
}

async function settle(
  tx: Tx,
  memberId: number,
  decided: readonly { meal: MealRow; decision: Decision }[],
): Promise<void> {
  const posted = await postedFor(
    tx,
    memberId,
    decided.map(({ meal }) => meal.network_id),
  )
  for (const { meal, decision } of decided) {
    const paid = meal.paid_at !== null
    if (differs(meal, decision, paid)) await changeDecision(tx, meal.id, decision, paid)
    // An authorisation is a promise: only what was charged is posted.
    const due = decision.awardStatus === 'Awarded' ? decision.benefit : 0
    const award = { networkId: meal.network_id, memberId, unit: decision.unit, due, reason: decision.reason }
    await postAward(tx, award, posted.get(meal.network_id))
  }
}

function differs(meal: MealRow, decision: Decision, paid: boolean): boolean {
  const status = paid && decision.awardStatus === 'Awarded' ? 'Paid' : decision.awardStatus
  const kept = reasonOf(meal)
  return (
    meal.benefit !== decision.benefit ||
    meal.award_status !== status ||
    kept.code !== decision.reason.code ||
    kept.inputs.earlierVisits !== decision.reason.inputs.earlierVisits
  )
}
