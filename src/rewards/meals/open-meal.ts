import { type Decision, decideAward } from '../rules.ts'
import { type MealRow, reasonOf } from '../store.ts'
import type { Dinner } from '../terms.ts'
import type { MealFacts } from './write-meals.ts'

/** A meal at work: what is kept of it, what is known of it now, and what was decided from that. */
export interface OpenMeal {
  /** Undefined for a meal that nobody had heard of. */
  kept: MealRow | undefined
  facts: MealFacts
  dinner: Dinner
  decision: Decision
}

export function openMeal(kept: MealRow | undefined, facts: MealFacts, dinner: Dinner): OpenMeal {
  return { kept, facts, dinner, decision: decideAward(dinner) }
}

/**
 * A kept meal, to be decided anew; `change` is what has become of it meanwhile. Null for entries made by hand, which a
 * person decided.
 */
export function reopen(kept: MealRow, change: Partial<Dinner> = {}): OpenMeal | null {
  const inputs: Dinner | undefined = reasonOf(kept).inputs
  return inputs ? openMeal(kept, kept, { ...inputs, ...change }) : null
}

/** What was decided, with another place in its month. */
export function decideAt(meal: OpenMeal, earlier: { visits: number; countedCents: number }): OpenMeal {
  const { earlierVisits, earlierCountedCents = 0 } = meal.dinner
  if (earlierVisits === earlier.visits && earlierCountedCents === earlier.countedCents) return meal
  const { earlierCountedCents: _, ...dinner } = meal.dinner
  return openMeal(meal.kept, meal.facts, {
    ...dinner,
    earlierVisits: earlier.visits,
    ...(earlier.countedCents > 0 && { earlierCountedCents: earlier.countedCents }),
  })
}

/** Whether a meal of this status stands in the ledger. */
export function standsInLedger(status: string): boolean {
  return status === 'Awarded' || status === 'Paid'
}

/** What is written as its status: what was paid out stays so while it is worth something. */
export function statusOf({ kept, decision }: OpenMeal): string {
  const isPaid = kept?.paid_at != null
  return isPaid && decision.awardStatus === 'Awarded' ? 'Paid' : decision.awardStatus
}

/** Whether a meal stands in the ledger, or stood there: only then does it move anything but the list of meals. */
export function isPosted(meal: OpenMeal): boolean {
  return standsInLedger(statusOf(meal)) || (meal.kept !== undefined && standsInLedger(meal.kept.award_status))
}
