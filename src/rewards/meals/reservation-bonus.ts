import type { Tx } from '../../kit/server/db.ts'
import { HOUR, localMoment } from '../../kit/time.ts'
import type { PromisedEvening } from '../../reservations/service.ts'
import { bringTo, rewardLegs } from '../ledger/entries.ts'
import { ruleVersion } from '../rules.ts'
import { bonusLegs } from '../settlement/shares.ts'
import { unitOf } from '../terms.ts'
import type { OpenMeal } from './open-meal.ts'
import { saveBonus } from './write-meals.ts'

/** Who pays at two in the morning has dined the evening before. */
const dayBegins = 4 * HOUR

export interface MonthOfMeals {
  memberId: number
  merchantId: number
  timeZone: string
  meals: readonly OpenMeal[]
}

/**
 * Grants what was promised for reserved tables, when a meal of that evening earned something, and takes it back when
 * none does any more. The promise is the reservation's; nothing the program changes later changes it. A bonus is an
 * entry of its own beside the meal. The caller holds the locks of the members.
 */
export async function settleReservationBonuses(
  tx: Tx,
  months: readonly MonthOfMeals[],
  promised: readonly PromisedEvening[],
): Promise<void> {
  for (const month of months) {
    const own = promised.filter((p) => p.memberId === month.memberId && p.merchantId === month.merchantId)
    if (own.length > 0) await settleMonth(tx, month, own)
  }
}

async function settleMonth(tx: Tx, month: MonthOfMeals, promised: readonly PromisedEvening[]): Promise<void> {
  const { memberId, timeZone, meals } = month
  const evening = ({ facts }: OpenMeal) => localMoment(new Date(facts.dined_at.getTime() - dayBegins), timeZone).date
  // Two tables on one evening, one dinner: the dinner proves one of them.
  const first = promised.filter((p, index) => promised.findIndex((q) => q.localDate === p.localDate) === index)
  for (const promise of first) {
    const there = meals.filter((meal) => evening(meal) === promise.localDate)
    const earning = there.find(({ decision }) => decision.awardStatus === 'Awarded' && decision.benefit > 0)
    const meal = earning ?? there[0]
    if (!meal) continue
    const due = earning ? promise.bonus.amount : 0
    const { currencyType, settlement } = meal.dinner.program
    const unit = unitOf(currencyType)
    const reason = { code: 'reservationBonus', rule: ruleVersion, reservation: promise.publicId, amount: due }
    const sourceId = `reservation:${promise.publicId}`
    const legs = [...rewardLegs({ memberId, unit, amount: due }), ...bonusLegs(due, settlement)]
    const posted = await bringTo(tx, [{ sourceId, legs, reason, isNew: false }])
    if (posted.size === 0) continue
    await saveBonus(tx, meal.facts, {
      networkId: sourceId,
      publicId: promise.publicId,
      benefit: due,
      unit,
      reason,
    })
  }
}
