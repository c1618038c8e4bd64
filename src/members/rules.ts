import type { FieldError } from '../kit/refusal.ts'
import type { DiningProgress } from './contract.ts'

/** What a public id looks like: 128 random bits. */
export const publicIdPattern = /^[\w-]{22}$/

/** The visits that lead to VIP where the program does not say. */
export const defaultDinesRequired = 11

/** How far the meter stands: visits made, never below zero or above what is asked. */
export function visitsOf({ dinesRequired, remainingDines }: DiningProgress): { done: number; total: number } {
  const total = dinesRequired ?? defaultDinesRequired
  return { done: Math.min(total, Math.max(0, total - (remainingDines ?? total))), total }
}

/** Whether the way to VIP is counted in dollars; elsewhere in visits. */
export function countsDollars({ dollarsRequired }: DiningProgress): boolean {
  return (dollarsRequired ?? 0) > 0
}

/** How far the meter of dollars stands, in cents: never below zero or above what is asked. */
export function spendingOf({ dollarsRequired, remainingDollars }: DiningProgress): { done: number; total: number } {
  const total = Math.round((dollarsRequired ?? 0) * 100)
  const remaining = Math.round((remainingDollars ?? 0) * 100)
  return { done: Math.min(total, Math.max(0, total - remaining)), total }
}

/** Who has reached the goal, or is renewing it, works for next year. */
export function goalYear({ status }: DiningProgress, thisYear: number): number {
  return status === 'Building' ? thisYear : thisYear + 1
}

/** What is missing of an address that a program requires; messages are copy keys. */
export function addressProblems(form: { address1: string; city: string; state: string }): FieldError[] {
  const missing = [
    ['address1', 'validation.address_missing'],
    ['city', 'validation.city_missing'],
    ['state', 'validation.state_missing'],
  ] as const
  return missing.filter(([field]) => form[field] === '').map(([field, message]) => ({ field, message }))
}
