import type { Ctx } from '../../kit/server/context.ts'
import type { Tx } from '../../kit/server/db.ts'
import type { MealRow } from '../store.ts'
import type { Dinner } from '../terms.ts'
import { followMeals } from './follow-meals.ts'
import { reopen } from './open-meal.ts'
import { settleMeals } from './settle-meals.ts'

/**
 * Decides anew about a kept meal of which something is known now, with all that follows. Entries made by hand stay as
 * a person decided. The caller holds the member's lock and has read the meal under it.
 */
export async function changeMeal(tx: Tx, ctx: Ctx, meal: MealRow, change: Partial<Dinner>): Promise<void> {
  const opened = reopen(meal, change)
  if (!opened) return
  await followMeals(tx, ctx, await settleMeals(tx, [opened]))
}
