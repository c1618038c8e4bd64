import type { AwardStatus } from '../../earning/contract.ts'
import type { RewardUnit } from '../../earning/terms.ts'
import type { TransactionDetail } from './contract.ts'

/** What operators read for the state of an award. */
export const statusNames: Readonly<Record<AwardStatus, string>> = {
  Pending: 'Pending',
  Deferred: 'Waiting',
  Awarded: 'Awarded',
  Paid: 'Paid out',
  Forfeit: 'Nothing earned',
}

/** What operators read for the stage of a payment. */
export const stageNames: Readonly<Record<TransactionDetail['stage'], string>> = {
  authorized: 'Authorized',
  cleared: 'Cleared',
  refunded: 'Refunded',
}

/** Units of amounts, after a number. */
export const unitNames: Readonly<Record<RewardUnit, string>> = { mile: 'miles', point: 'points', cent: 'cents' }

/** What decided an award: values of its inputs. */
export const inputNames: Readonly<Record<string, string>> = {
  done: 'Written',
  expired: 'Overdue',
  over: 'Over',
  Unlimited: 'Every visit',
  Limited: 'Limited visits',
}
