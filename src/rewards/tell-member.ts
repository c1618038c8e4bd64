import { formatCents } from '../kit/money.ts'
import type { Ctx } from '../kit/server/context.ts'
import { inTransaction, type Tx } from '../kit/server/db.ts'
import { DAY } from '../kit/time.ts'
import { tell } from '../notices/service.ts'
import { formatReward } from '../partners/rates.ts'
import { dayText, reviewDays } from './explain.ts'
import { mealsReviewDue } from './review-store.ts'
import { findMeal, type MealRow, mealById } from './store.ts'

const path = '/account/recent_activity'
/** So many days before a review expires its member hears of it. */
const reviewNoticeDays = 7

/** Tells of a meal that was seen just now, or whose reward was posted; `before` is what was known of it. */
export async function tellOfMeal(tx: Tx, ctx: Ctx, networkId: string, before: MealRow | undefined): Promise<void> {
  const meal = await findMeal(tx, networkId)
  if (!meal?.member_id || meal.benefit === 0) return
  const benefit = formatReward(ctx.program.config, meal.benefit)
  const { member_id: memberId, public_id: about, merchant_name: merchant } = meal
  // What is told late is no news: an old meal whose card was linked today was not seen today.
  if (!before && meal.stage === 'authorized' && ctx.now().getTime() - meal.dined_at.getTime() < DAY) {
    const params = { merchant, benefit, amount: formatCents(meal.ticket_cents), lastFour: meal.card_last_four }
    await tell(tx, { memberId, topic: 'mealSeen', about, params, path })
  }
  if (isPosted(meal) && !(before && isPosted(before))) {
    await tell(tx, { memberId, topic: 'rewardPosted', about, params: { merchant, benefit }, path })
  }
}

const isPosted = ({ award_status }: MealRow) => award_status === 'Awarded' || award_status === 'Paid'

/** Tells of rewards that are lost within a week when nobody reviews their meals. */
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
