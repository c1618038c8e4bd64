import type { AwardStatus } from '../../earning/contract.ts'
import type { RewardUnit } from '../../earning/terms.ts'
import type { Account, Entry } from '../../ledger/entries.ts'
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

/** What operators read for the kind of a journal entry. */
export const entryNames: Readonly<Record<Entry['kind'], string>> = {
  award: 'Award',
  correction: 'Correction',
  refund: 'Refund',
  'statement-credit': 'Statement credit',
  'returned-credit': 'Returned statement credit',
  adjustment: 'Adjustment by an operator',
  debt: 'Debt',
  'written-off-debt': 'Written-off debt',
}

/** What operators read for the accounts of the ledger. */
export const accountNames: Readonly<Record<Account, string>> = {
  member: 'Member',
  program: 'Program',
  payout: 'Payouts',
  restaurant: 'Restaurant',
  partner: 'Partner',
  platform: 'Platform',
  debt: 'Debts',
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
