import { lockMember } from '../../identity/members/service.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { DAY } from '../../platform/time.ts'
import { reviewDays } from '../earning/explain.ts'
import { listAwaitingReview } from './pending-store.ts'
import { recomputeAward } from './recompute-award.ts'
import * as store from './store.ts'

export { findTransactionByPublicId } from './store.ts'

/** Records the outcome of a transaction's review and computes its award again. The caller holds the member's lock. */
export async function recordReview(
  tx: Tx,
  ctx: Ctx,
  transaction: store.TransactionRow,
  review: 'done' | 'expired',
): Promise<void> {
  await recomputeAward(tx, ctx, transaction, { review })
}

/** Forfeits transactions whose review is overdue. Any number of processes may do so at once. */
export async function expireReviews(ctx: Ctx): Promise<void> {
  // The last day counts whole: the limit is 36 days.
  const before = new Date(ctx.now().getTime() - (reviewDays + 1) * DAY)
  for (const id of await listAwaitingReview(ctx.db, before)) {
    await inTransaction(ctx.db, async (tx) => {
      const first = await store.findTransactionById(tx, id)
      if (!first || first.member_id === null) return
      await lockMember(tx, first.member_id)
      // Read under the lock: the review may have arrived concurrently.
      const transaction = await store.findTransactionById(tx, id)
      if (transaction?.award_status === 'Pending') await recordReview(tx, ctx, transaction, 'expired')
    })
  }
}
