import { lockMember } from '../../identity/members/service.ts'
import { notify } from '../../identity/notifications/service.ts'
import { inTransaction } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { DAY } from '../../platform/time.ts'
import { formatReward } from '../../programs/partners/rates.ts'
import { reviewByText, reviewDays } from '../earning/explain.ts'
import { recomputeAward } from './apply.ts'
import { listAwaitingReview, listReviewsToNotify, listTimedOut } from './pending-store.ts'
import { findTransactionById, timeZoneOf } from './store.ts'

/** Days after which no final amount is expected; a later one is processed nevertheless. */
const clearingDays = 30
/** Days to wait for an unknown card or restaurant. */
export const matchingDays = 14

/** Expires pending transactions by time: releases deferred rewards and closes what never cleared or matched. */
export async function expirePending(ctx: Ctx): Promise<void> {
  const timeouts = { clearing: clearingDays, matching: matchingDays }
  for (const id of await listTimedOut(ctx.db, ctx.now(), timeouts)) {
    await inTransaction(ctx.db, async (tx) => {
      const memberId = (await findTransactionById(tx, id))?.member_id ?? null
      if (memberId !== null) await lockMember(tx, memberId)
      // Read under the lock: it may have been cleared or refunded concurrently.
      const transaction = await findTransactionById(tx, id)
      if (transaction?.award_status !== 'Pending' && transaction?.award_status !== 'Deferred') return
      // Its card was linked concurrently, so its member is not locked: the next run expires it.
      if (transaction.member_id !== memberId) return
      await recomputeAward(tx, ctx, transaction, { waiting: 'over' })
    })
  }
}

/** Forfeits transactions whose review is overdue. Any number of processes may do so at once. */
export async function expireReviews(ctx: Ctx): Promise<void> {
  // The last day counts whole: the limit is 36 days.
  const before = new Date(ctx.now().getTime() - (reviewDays + 1) * DAY)
  for (const id of await listAwaitingReview(ctx.db, before)) {
    await inTransaction(ctx.db, async (tx) => {
      const first = await findTransactionById(tx, id)
      if (!first || first.member_id === null) return
      await lockMember(tx, first.member_id)
      // Read under the lock: the review may have arrived concurrently.
      const transaction = await findTransactionById(tx, id)
      if (transaction?.award_status === 'Pending') await recomputeAward(tx, ctx, transaction, { review: 'expired' })
    })
  }
}

/** Days before a review expires when its member is notified. */
const reviewReminderDays = 7

/** Notifies members of rewards that expire within a week unless reviewed. */
export async function notifyOfPendingReviews(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.now().getTime() - (reviewDays - reviewReminderDays) * DAY)
  for (const id of await listReviewsToNotify(ctx.db, before)) {
    await inTransaction(ctx.db, async (tx) => {
      const transaction = await findTransactionById(tx, id)
      if (!transaction?.member_id) return
      const by = reviewByText(transaction.occurred_at, timeZoneOf(transaction))
      const params = {
        merchant: transaction.merchant_name,
        by,
        benefit: formatReward(ctx.program.config, transaction.benefit),
      }
      await notify(tx, {
        memberId: transaction.member_id,
        topic: 'reviewDue',
        about: transaction.public_id,
        params,
        path: '/account/recent_activity',
        recordUnwanted: true,
      })
    })
  }
}
