import { type Fact, tell, tellAll } from '../../identity/notifications/service.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { formatCents } from '../../platform/money.ts'
import { DAY } from '../../platform/time.ts'
import { formatReward } from '../../programs/partners/rates.ts'
import { dayText, reviewDays } from '../earning/explain.ts'
import { type OpenMeal, standsInLedger, statusOf } from './open-meal.ts'
import { mealById } from './store.ts'
import { mealsReviewDue } from './waiting-store.ts'

const path = '/account/recent_activity'
/** Days before a review expires when its member is notified. */
const reviewNoticeDays = 7

/** Notifies members of new authorizations and of posted rewards. */
export async function tellOfMeals(tx: Tx, ctx: Ctx, changed: readonly OpenMeal[]): Promise<void> {
  await tellAll(
    tx,
    changed.flatMap((meal) => newsOf(ctx, meal)),
  )
}

function newsOf(ctx: Ctx, meal: OpenMeal): Fact[] {
  const { kept, facts, decision } = meal
  const { member_id: memberId, merchant_name: merchant } = facts
  if (memberId === null || decision.benefit === 0) return []
  const benefit = formatReward(ctx.program.config, decision.benefit)
  const about = facts.network_id
  // Late messages are no news: an old transaction whose card was linked today was not seen today.
  if (!kept && facts.stage === 'authorized' && ctx.now().getTime() - facts.dined_at.getTime() < DAY) {
    const params = { merchant, benefit, amount: formatCents(facts.ticket_cents), lastFour: facts.card_last_four }
    return [{ memberId, topic: 'mealSeen', about, params, path }]
  }
  const isNews = standsInLedger(statusOf(meal)) && !(kept && standsInLedger(kept.award_status))
  return isNews ? [{ memberId, topic: 'rewardPosted', about, params: { merchant, benefit }, path }] : []
}

/** Notifies members of rewards that expire within a week unless reviewed. */
export async function tellOfReviews(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.now().getTime() - (reviewDays - reviewNoticeDays) * DAY)
  for (const id of await mealsReviewDue(ctx.db, before)) {
    await inTransaction(ctx.db, async (tx) => {
      const meal = await mealById(tx, id)
      if (!meal?.member_id) return
      const by = dayText(new Date(meal.dined_at.getTime() + reviewDays * DAY).toISOString().slice(0, 10))
      const params = { merchant: meal.merchant_name, by, benefit: formatReward(ctx.program.config, meal.benefit) }
      await tell(tx, {
        memberId: meal.member_id,
        topic: 'reviewDue',
        about: meal.public_id,
        params,
        path,
        isLookedFor: true,
      })
    })
  }
}
