import { type NewNotification, notifyAll } from '../../identity/notifications/service.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { formatCents } from '../../platform/money.ts'
import { DAY } from '../../platform/time.ts'
import { formatReward } from '../../programs/partners/rates.ts'
import { isPostedStatus, statusToStore, type TransactionDecision } from './transaction-decision.ts'

const path = '/account/recent_activity'

/** Notifies members of new authorizations and of posted rewards. */
export async function notifyOfTransactions(tx: Tx, ctx: Ctx, changed: readonly TransactionDecision[]): Promise<void> {
  await notifyAll(
    tx,
    changed.flatMap((transaction) => notificationsFor(ctx, transaction)),
  )
}

function notificationsFor(ctx: Ctx, transaction: TransactionDecision): NewNotification[] {
  const { existing, fields, award } = transaction
  const { member_id: memberId, merchant_name: merchant } = fields
  if (memberId === null || award.benefit === 0) return []
  const benefit = formatReward(ctx.program.config, award.benefit)
  const about = fields.network_id
  // Late messages are no news: an old transaction whose card was linked today was not seen today.
  if (!existing && fields.stage === 'authorized' && ctx.now().getTime() - fields.occurred_at.getTime() < DAY) {
    const params = { merchant, benefit, amount: formatCents(fields.ticket_cents), lastFour: fields.card_last_four }
    return [{ memberId, topic: 'mealSeen', about, params, path }]
  }
  const isNewlyPosted =
    isPostedStatus(statusToStore(transaction)) && !(existing && isPostedStatus(existing.award_status))
  return isNewlyPosted ? [{ memberId, topic: 'rewardPosted', about, params: { merchant, benefit }, path }] : []
}
