import { type Decision, decideAward } from '../earning/rules.ts'
import type { Dinner } from '../earning/terms.ts'
import { type MealRow, reasonOf } from './store.ts'
import type { MealFacts } from './write-meals.ts'

/** A transaction being processed: its stored row, its current facts, and the award computed from them. */
export interface OpenMeal {
  /** Undefined for a new transaction. */
  kept: MealRow | undefined
  facts: MealFacts
  dinner: Dinner
  decision: Decision
}

export function openMeal(kept: MealRow | undefined, facts: MealFacts, dinner: Dinner): OpenMeal {
  return { kept, facts, dinner, decision: decideAward(dinner) }
}

/**
 * Opens a stored transaction for a new decision; `change` overrides its inputs. Returns null for manual entries, which
 * an operator decided.
 */
export function reopen(kept: MealRow, change: Partial<Dinner> = {}): OpenMeal | null {
  const inputs: Dinner | undefined = reasonOf(kept).inputs
  return inputs ? openMeal(kept, kept, { ...inputs, ...change }) : null
}

/** Returns the transaction, decided with these totals of earlier visits in its month. */
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

/** Returns whether a transaction of this status is posted to the ledger. */
export function standsInLedger(status: string): boolean {
  return status === 'Awarded' || status === 'Paid'
}

/** Returns the status to store: a paid transaction stays `Paid` while its award is above zero. */
export function statusOf({ kept, decision }: OpenMeal): string {
  const isPaid = kept?.paid_at != null
  return isPaid && decision.awardStatus === 'Awarded' ? 'Paid' : decision.awardStatus
}

/** Returns whether a transaction is or was posted: only then does it affect more than the list of transactions. */
export function isPosted(meal: OpenMeal): boolean {
  return standsInLedger(statusOf(meal)) || (meal.kept !== undefined && standsInLedger(meal.kept.award_status))
}
