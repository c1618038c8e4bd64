import { lockMember } from '../../identity/members/service.ts'
import { inTransaction } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { changeMeal } from './change-meal.ts'
import { reopen, statusOf } from './open-meal.ts'
import { mealById } from './store.ts'
import { mealsDone } from './waiting-store.ts'
import { writeMeals } from './write-meals.ts'

/** Days after which no final amount is expected; a later one is processed nevertheless. */
export const clearingDays = 30
/** Days to wait for an unknown card or restaurant. */
export const matchingDays = 14

/** Expires pending transactions by time: releases deferred rewards and closes what never cleared or matched. */
export async function endWaiting(ctx: Ctx): Promise<void> {
  const patience = { clearing: clearingDays, matching: matchingDays }
  for (const id of await mealsDone(ctx.db, ctx.now(), patience)) {
    await inTransaction(ctx.db, async (tx) => {
      const memberId = (await mealById(tx, id))?.member_id ?? null
      if (memberId !== null) await lockMember(tx, memberId)
      // Read under the lock: it may have been cleared or refunded concurrently.
      const meal = await mealById(tx, id)
      if (meal?.award_status !== 'Pending' && meal?.award_status !== 'Deferred') return
      if (memberId !== null) return changeMeal(tx, ctx, meal, { waiting: 'over' })
      const opened = reopen(meal, { waiting: 'over' })
      if (opened) await writeMeals(tx, [{ ...opened, status: statusOf(opened) }])
    })
  }
}
