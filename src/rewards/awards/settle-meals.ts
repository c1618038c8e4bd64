import { type PromisedEvening, promisedEvenings } from '../../dining/reservations/service.ts'
import type { Tx } from '../../platform/database/db.ts'
import { addDays, localMoment } from '../../platform/time.ts'
import { countedCentsOf } from '../earning/rules.ts'
import { bringTo, type Due, rewardLegs } from '../ledger/entries.ts'
import { moneyLegs } from '../settlement/shares.ts'
import { decideAt, isPosted, type OpenMeal, openMeal, statusOf } from './open-meal.ts'
import { claimCredits, newlyPosted, replaceCredits } from './replace-credits.ts'
import { mayHonor, settleReservationBonuses } from './reservation-bonus.ts'
import { limitedMonths, type MealRow, type MonthRange, mealsOfMonths, reasonOf } from './store.ts'
import { keepNewTerms, writeMeals } from './write-meals.ts'

/** A member's transactions at one restaurant in one local month: the scope of monthly limits. */
interface Month {
  memberId: number
  merchantId: number
  /** `YYYY-MM`. */
  month: string
  timeZone: string
}

/** The awards of transactions, and of those that share their months. */
export interface Decided {
  meals: readonly OpenMeal[]
  /** The reservations of their members. */
  promised: readonly PromisedEvening[]
}

/**
 * Decides transactions, and those that share their months, by time: an earlier one that arrives late, or is refunded,
 * changes which visits count. Writes nothing.
 */
export async function decideMeals(tx: Tx, opened: readonly OpenMeal[]): Promise<Decided> {
  const months = monthsOf(opened)
  const [neighbours, promised] = await Promise.all([
    neighboursOf(tx, opened, months),
    promisedEvenings(
      tx,
      months.map(({ memberId }) => memberId),
    ),
  ])
  const all = [...opened, ...neighbours]
  const byMonth = Map.groupBy(all, (meal) => keyOf(monthOfMeal(meal)))
  const decided = new Map(all.map((meal) => [meal.facts.network_id, meal]))
  for (const month of months) {
    const meals = byMonth.get(keyOf(month)) ?? []
    if (!meals.some(({ facts }) => facts.is_limited)) continue
    for (const meal of decideMonth(meals)) decided.set(meal.facts.network_id, meal)
  }
  return { meals: [...decided.values()], promised }
}

/**
 * Writes what changed, and posts the differences to the ledger. The caller holds the locks of the members. Returns the
 * written transactions, with their previous rows.
 */
export async function writeDecided(tx: Tx, { meals, promised }: Decided): Promise<OpenMeal[]> {
  const changed = meals.filter(isChanged)
  const posted = newlyPosted(changed)
  const [credits] = await Promise.all([
    claimCredits(
      tx,
      posted.flatMap(({ facts }) => facts.member_id ?? []),
    ),
    writeMeals(
      tx,
      changed.map((meal) => ({ ...meal, status: statusOf(meal) })),
    ),
    bringTo(tx, changed.map(dueOf).filter(isPossible)),
  ])
  if (credits.length > 0) await replaceCredits(tx, posted, credits)
  if (promised.length === 0) return changed
  const dined = changed.filter(isPosted)
  await settleReservationBonuses(
    tx,
    promised.filter((promise) => dined.some((meal) => concerns(meal, promise))),
  )
  return changed
}

/** Returns whether a transaction may honor a reservation, or did before a message moved it. */
function concerns({ facts, kept }: OpenMeal, promise: PromisedEvening): boolean {
  return [facts, ...(kept ? [kept] : [])].some((dine) => mayHonor(dine, promise))
}

/** Decides transactions and writes the results. The caller holds the locks of the members. */
export async function settleMeals(tx: Tx, opened: readonly OpenMeal[]): Promise<OpenMeal[]> {
  const [decided] = await Promise.all([decideMeals(tx, opened), keepNewTerms(tx, opened)])
  return writeDecided(tx, decided)
}

function decideMonth(meals: readonly OpenMeal[]): OpenMeal[] {
  const inOrder = meals.toSorted(
    (a, b) =>
      a.facts.dined_at.getTime() - b.facts.dined_at.getTime() || (a.facts.network_id < b.facts.network_id ? -1 : 1),
  )
  const earlier = { visits: 0, countedCents: 0 }
  return inOrder.map((meal) => {
    const decided = decideAt(meal, earlier)
    const { benefit } = decided.decision
    if (benefit > 0) earlier.visits++
    earlier.countedCents += countedCentsOf(decided.decision)
    return decided
  })
}

/** Returns the months of these transactions, and those in which they were counted before a message moved them. */
function monthsOf(opened: readonly OpenMeal[]): Month[] {
  const before = opened.flatMap((meal) => (meal.kept && isMoved(meal, meal.kept) ? [monthOfRow(meal.kept)] : []))
  const months = [...opened.map(monthOfMeal), ...before].filter((month) => month !== null)
  return [...new Map(months.map((month) => [keyOf(month), month])).values()]
}

/** Returns whether a stored transaction may have been counted in another month. */
function isMoved({ facts, dinner }: OpenMeal, kept: MealRow): boolean {
  if (!reasonOf(kept).inputs) return false
  const isSameGuest = kept.member_id === facts.member_id && kept.merchant_id === facts.merchant_id
  const isSameTime = kept.dined_at.getTime() === facts.dined_at.getTime()
  return !isSameGuest || !isSameTime || kept.terms?.merchant !== dinner.merchant
}

/** Returns the other transactions of months with a limit: in other months none depends on another. */
async function neighboursOf(tx: Tx, opened: readonly OpenMeal[], months: readonly Month[]): Promise<OpenMeal[]> {
  const known = new Set(opened.map(({ facts }) => facts.network_id))
  const { limited, rows } = await mealsOfLimited(tx, opened, months)
  const wanted = new Set(limited.map(keyOf))
  const fresh = new Map(rows.filter((row) => !known.has(row.network_id)).map((row) => [row.network_id, row]))
  return [...fresh.values()]
    .filter((row) => wanted.has(keyOf(monthOfRow(row))))
    .map((row) => openMeal(row, row, reasonOf(row).inputs))
}

/** Returns the months with a limit and their stored transactions: one of these, or a stored one, has the limit. */
async function mealsOfLimited(
  tx: Tx,
  opened: readonly OpenMeal[],
  months: readonly Month[],
): Promise<{ limited: Month[]; rows: MealRow[] }> {
  const own = new Set(opened.filter(({ facts }) => facts.is_limited).map((meal) => keyOf(monthOfMeal(meal))))
  const surely = months.filter((month) => own.has(keyOf(month)))
  const perhaps = months.filter((month) => !own.has(keyOf(month)))
  const [rows, found] = await Promise.all([
    mealsOfMonths(tx, surely.map(rangeOf)),
    limitedMonths(tx, perhaps.map(rangeOf)),
  ])
  const others = perhaps.filter((_, place) => found.has(place))
  return { limited: [...surely, ...others], rows: [...rows, ...(await mealsOfMonths(tx, others.map(rangeOf)))] }
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
const months = new WeakMap<OpenMeal, Month | null>()

function monthOfMeal(meal: OpenMeal): Month | null {
  const known = months.get(meal)
  if (known !== undefined) return known
  const month = monthIn(meal)
  months.set(meal, month)
  return month
}

function monthIn({ facts, dinner }: Pick<OpenMeal, 'facts' | 'dinner'>): Month | null {
  const { member_id: memberId, merchant_id: merchantId, dined_at: dinedAt } = facts
  if (memberId == null || merchantId == null || !dinner.merchant) return null
  const { timeZone } = dinner.merchant
  return { memberId, merchantId, month: monthOf(dinedAt, timeZone), timeZone }
}

function monthOfRow(row: MealRow): Month | null {
  return monthIn({ facts: row, dinner: reasonOf(row).inputs })
}

const keyOf = (month: Month | null) => (month ? `${month.memberId} ${month.merchantId} ${month.month}` : '')

/** Returns the local month, `YYYY-MM`. */
export function monthOf(instant: Date, timeZone: string): string {
  return localMoment(instant, timeZone).date.slice(0, 7)
}

function isChanged(meal: OpenMeal): boolean {
  const { kept, facts, decision } = meal
  if (!kept || kept !== facts) return true
  const was = reasonOf(kept)
  return (
    kept.benefit !== decision.benefit ||
    kept.award_status !== statusOf(meal) ||
    was.code !== decision.reason.code ||
    was.inputs.review !== decision.reason.inputs.review ||
    was.inputs.waiting !== decision.reason.inputs.waiting ||
    was.inputs.earlierVisits !== decision.reason.inputs.earlierVisits ||
    was.inputs.earlierCountedCents !== decision.reason.inputs.earlierCountedCents
  )
}

/** Returns the postings due: only for what was cleared and is no longer held back, not for an authorization. */
function dueOf({ kept, facts, decision }: OpenMeal): Due & { memberId: number | null } {
  const memberId = facts.member_id ?? null
  const isDue = decision.awardStatus === 'Awarded' && memberId !== null
  const { unit, benefit, reason } = decision
  return {
    memberId,
    sourceId: facts.network_id,
    legs: isDue
      ? [...rewardLegs({ memberId, unit, amount: benefit }), ...moneyLegs(facts.merchant_id ?? null, decision)]
      : [],
    // The terms are stored with the transaction and never change: the journal entry names what did.
    reason: postedReason(reason),
    // An authorization was never posted.
    isNew: !kept || kept.stage === 'authorized',
  }
}

const isPossible = ({ memberId, legs, isNew }: Due & { memberId: number | null }) =>
  memberId !== null && (!isNew || legs.length > 0)

function postedReason({ inputs, ...finding }: OpenMeal['decision']['reason']) {
  const { stage, cents, refundedCents, earlierVisits } = inputs
  return { ...finding, inputs: { stage, cents, refundedCents, earlierVisits } }
}
