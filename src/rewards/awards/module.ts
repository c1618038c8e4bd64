import { perMinute } from '../../platform/jobs/jobs.ts'
import type { Module } from '../../platform/manifest.ts'
import { carryOpenDebts } from './carry-debts.ts'
import { expirePending, expireReviews, notifyOfPendingReviews } from './pending.ts'
import { runVipTransitions } from './schedule-vip.ts'

export const awardsModule: Module = {
  name: 'rewards/awards',
  tasks: {
    'review-expiry': perMinute(expireReviews),
    'review-requests': perMinute(notifyOfPendingReviews),
    'pending-transactions': perMinute(expirePending),
    vip: perMinute(runVipTransitions),
    debts: perMinute(carryOpenDebts),
  },
}
