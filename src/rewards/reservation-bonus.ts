import type { Tx } from '../kit/server/db.ts'
import { HOUR, localMoment } from '../kit/time.ts'
import { type PromisedEvening, promisedOn } from '../reservations/service.ts'
import { postEntry, postedFor } from './post-award.ts'
import { type Decision, ruleVersion } from './rules.ts'
import type { MealRow } from './store.ts'
import * as store from './store.ts'

/** Who pays at two in the morning has dined the evening before. */
const dayBegins = 4 * HOUR

export interface DecidedMeal {
  meal: MealRow
  decision: Decision
}

/**
 * Grants what was promised for reserved tables, when a meal of that evening earned something, and takes it back when
 * none does any more. The promise is the reservation's; nothing the program changes later changes it. A bonus is an
 * entry of its own beside the meal. The caller holds the member's lock.
 */
export async function settleReservationBonuses(
  tx: Tx,
  memberId: number,
  { merchantId, timeZone }: { merchantId: number; timeZone: string },
  decided: readonly DecidedMeal[],
): Promise<void> {
  const evening = ({ meal }: DecidedMeal) => localMoment(new Date(meal.dined_at.getTime() - dayBegins), timeZone).date
  const dates = [...new Set(decided.map(evening))]
  if (dates.length === 0) return
  const promised = await promisedOn(tx, { memberId, merchantId, dates })
  // Two tables on one evening, one dinner: the dinner proves one of them.
  const first = promised.filter((p, index) => promised.findIndex((q) => q.localDate === p.localDate) === index)
  const posted = await postedFor(tx, memberId, first.map(idOf))
  for (const promise of first) {
    const there = decided.filter((meal) => evening(meal) === promise.localDate)
    const earning = there.find(({ decision }) => decision.awardStatus === 'Awarded' && decision.benefit > 0)
    const { meal, decision } = earning ?? (there[0] as DecidedMeal)
    const due = earning ? promise.bonus.amount : 0
    const before = posted.get(idOf(promise))
    if (due === (before?.amount ?? 0)) continue
    const reason = { code: 'reservationBonus', rule: ruleVersion, reservation: promise.publicId, amount: due }
    await store.saveBonus(tx, meal, {
      networkId: idOf(promise),
      publicId: promise.publicId,
      benefit: due,
      unit: decision.unit,
      reason,
    })
    await postEntry(tx, {
      source: 'transaction',
      sourceId: idOf(promise),
      version: (before?.versions ?? 0) + 1,
      kind: before ? 'correction' : 'award',
      reason,
      memberId,
      unit: decision.unit,
      amount: due - (before?.amount ?? 0),
      against: 'program',
    })
  }
}

const idOf = ({ publicId }: PromisedEvening) => `reservation:${publicId}`
