import type { Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import type { Dinner } from '../earning/terms.ts'
import { followMeals } from './follow-meals.ts'
import { reopen } from './open-meal.ts'
import { settleMeals } from './settle-meals.ts'
import type { MealRow } from './store.ts'

/**
 * Computes the award of a stored transaction again after a change, with all its effects. Manual entries stay as the
 * operator decided. The caller holds the member's lock and has read the transaction under it.
 */
export async function changeMeal(tx: Tx, ctx: Ctx, meal: MealRow, change: Partial<Dinner>): Promise<void> {
  const opened = reopen(meal, change)
  if (!opened) return
  await followMeals(tx, ctx, await settleMeals(tx, [opened]))
}
