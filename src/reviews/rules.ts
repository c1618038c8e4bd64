import { DAY } from '../kit/time.ts'
import type { RewardTransaction } from '../rewards/contract.ts'
import { reviewDays } from '../rewards/explain.ts'

/** Meals before this day (GMT) cannot be reviewed. */
export const reviewsBegan = '2021-02-01'

export type Reviewable = Pick<
  RewardTransaction,
  'transactionTypeCode' | 'transactionStatus' | 'awardStatus' | 'date' | 'transactionCreatedAt'
>

/** Whether a meal can be reviewed now: one of ours, of the last 35 days, that still counts and nobody has reviewed. */
export function mayReview(meal: Reviewable, { isReviewed, now }: { isReviewed: boolean; now: Date }): boolean {
  if (isReviewed || !settleTypes[meal.transactionTypeCode]) return false
  if (meal.awardStatus === 'Forfeit' || meal.awardStatus === 'Deferred') return false
  return meal.date >= reviewsBegan && daysSince(meal.transactionCreatedAt, now) <= reviewDays
}

const settleTypes: Partial<Record<Reviewable['transactionTypeCode'], 'settle' | 'manual'>> = {
  S: 'settle',
  M: 'manual',
}

/** Whole days, so that the thirty-fifth counts to its end. */
function daysSince(instant: string, now: Date): number {
  return Math.floor((now.getTime() - Date.parse(instant)) / DAY)
}

/** The address of the form for a meal, with what the form service gives back. */
export function reviewAddress(
  base: string,
  meal: Pick<RewardTransaction, 'date' | 'merchantId' | 'merchantName' | 'sourceTransactionId' | 'transactionTypeCode'>,
  familyId: string,
): string {
  const url = new URL(base)
  const fields = {
    date: meal.date,
    merchantId: meal.merchantId ?? '',
    transactionId: meal.sourceTransactionId,
    familyId,
    merchantName: meal.merchantName,
    settleType: settleTypes[meal.transactionTypeCode] ?? '',
  }
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  return url.href
}
