import type { DiningProgress } from '../contract.ts'

/** Visits required for VIP when the program does not configure it. */
export const defaultDinesRequired = 11

/** Returns the progress in visits, between 0 and the required number. */
export function visitsOf({ dinesRequired, remainingDines }: DiningProgress): { done: number; total: number } {
  const total = dinesRequired ?? defaultDinesRequired
  return { done: Math.min(total, Math.max(0, total - (remainingDines ?? total))), total }
}

/** Returns true when progress to VIP is counted in dollars instead of visits. */
export function countsDollars({ dollarsRequired }: DiningProgress): boolean {
  return (dollarsRequired ?? 0) > 0
}

/** Returns the progress in cents, between 0 and the required amount. */
export function spendingOf({ dollarsRequired, remainingDollars }: DiningProgress): { done: number; total: number } {
  const total = Math.round((dollarsRequired ?? 0) * 100)
  const remaining = Math.round((remainingDollars ?? 0) * 100)
  return { done: Math.min(total, Math.max(0, total - remaining)), total }
}

/** Returns the year of the goal: next year for members who have reached it or are renewing it. */
export function goalYear({ status }: DiningProgress, thisYear: number): number {
  return status === 'Building' ? thisYear : thisYear + 1
}
