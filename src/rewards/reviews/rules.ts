import { DAY, localMoment } from '../../platform/time.ts'
import type { RewardTransaction } from '../earning/contract.ts'
import { reviewDays } from '../earning/explain.ts'

/** Transactions before this day (UTC) cannot be reviewed. */
export const reviewsStartedOn = '2021-02-01'

export type Reviewable = Pick<
  RewardTransaction,
  'transactionTypeCode' | 'transactionStatus' | 'awardStatus' | 'date' | 'transactionCreatedAt'
>

/** Returns whether a transaction can be reviewed: of the last 35 days, not forfeit or deferred, not yet reviewed. */
export function mayReview(transaction: Reviewable, { isReviewed, now }: { isReviewed: boolean; now: Date }): boolean {
  if (isReviewed || !settleTypes[transaction.transactionTypeCode]) return false
  if (transaction.awardStatus === 'Forfeit' || transaction.awardStatus === 'Deferred') return false
  return transaction.date >= reviewsStartedOn && daysSince(transaction.transactionCreatedAt, now) <= reviewDays
}

const settleTypes: Partial<Record<Reviewable['transactionTypeCode'], 'settle' | 'manual'>> = {
  S: 'settle',
  M: 'manual',
}

/** Returns whole days, so that the 35th counts to its end. */
function daysSince(instant: string, now: Date): number {
  return Math.floor((now.getTime() - Date.parse(instant)) / DAY)
}

type VisitTime = Pick<RewardTransaction, 'date' | 'transactionCreatedAt' | 'timeZone'>

/** Returns the day of a visit on the restaurant's calendar; the UTC day where its time zone is unknown. */
export function visitDay({ date, transactionCreatedAt, timeZone }: VisitTime): string {
  return timeZone === null ? date : localMoment(new Date(transactionCreatedAt), timeZone).date
}

/** Returns the URL of the form for a transaction, with the fields that the form service sends back. */
export function reviewUrl(
  base: string,
  transaction: VisitTime &
    Pick<RewardTransaction, 'merchantId' | 'merchantName' | 'sourceTransactionId' | 'transactionTypeCode'>,
  familyId: string,
): string {
  const url = new URL(base)
  const fields = {
    date: visitDay(transaction),
    merchantId: transaction.merchantId ?? '',
    transactionId: transaction.sourceTransactionId,
    familyId,
    merchantName: transaction.merchantName,
    settleType: settleTypes[transaction.transactionTypeCode] ?? '',
  }
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  return url.href
}
