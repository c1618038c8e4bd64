import type { NewNotification } from '../../identity/notifications/service.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { formatReward } from '../../programs/partners/rates.ts'

/**
 * Returns the notification of a bonus that was posted. `sourceId` is the id of its journal entries: a bonus that a refund
 * takes back and a later meal gives again is no news. `amount` is in cents, or whole miles or points.
 */
export function bonusNotification(
  { program }: Pick<Ctx, 'program'>,
  {
    memberId,
    sourceId,
    amount,
    named,
    variant,
  }: {
    memberId: number
    sourceId: string
    amount: number
    named: { bonus: string } | { merchant: string }
    variant?: 'reserved'
  },
): NewNotification {
  const params = { ...named, benefit: formatReward(program.config, amount), ...(variant && { variant }) }
  return { memberId, topic: 'bonusEarned', about: sourceId, params, path: '/account/recent_activity' }
}
