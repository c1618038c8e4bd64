import { DAY, HOUR, MINUTE } from '../../platform/time.ts'
import type { RedemptionStatus } from './contract.ts'

/** Why an operator must look at a credit. */
export type Attention =
  /** The processor has not answered for days. */
  | 'unanswered'
  /** The processor accepts it and then does not know it, again and again. */
  | 'unknownThere'
  /** The processor has accepted it and not paid it for days. */
  | 'unfinished'
  /** It was returned to the balance by an operator, and the processor still has it. */
  | 'openAfterReturn'
  /** It was returned to the balance, and the processor has paid it: the balance was lowered again. */
  | 'paidAfterReturn'
  /** An operator declared it paid, and the processor says that it was rejected. */
  | 'rejectedAfterPaid'
  /** It was returned to the balance of a deleted account, where no award orders it again. */
  | 'leftInClosedAccount'

/** Where the money of a credit is: on its way, with the member, or back in the balance. */
export type Place = 'open' | 'paid' | 'returned'

export function placeOf(status: RedemptionStatus): Place {
  if (status === 'completed') return 'paid'
  return status === 'pending' || status === 'pending_received' ? 'open' : 'returned'
}

/** Returns whether a member is told that the outcome of a credit is being asked for. */
export const isChecking = ({ status, unanswered }: { status: string; unanswered: number }): boolean =>
  placeOf(status as RedemptionStatus) === 'open' && unanswered > 0

/** Returns the message key of a credit's state. */
export const creditStatusKey = ({ status, isChecking }: { status: RedemptionStatus; isChecking: boolean }) =>
  isChecking ? 'activity.credit_checking' : (`activity.credit_${status}` as const)

/** Attempts without an answer, or without a lasting one, after which an operator must look at a credit: three days. */
export const maxAttempts = 20
/** Checks, once a day, of a credit that was decided without its processor. */
export const laterChecks = 30
const unfinishedAfter = 7 * DAY

/** Returns the milliseconds before the next attempt, after this many unsuccessful ones: doubling, later once a day. */
export function waitAfter(attempts: number): number {
  if (attempts >= maxAttempts) return DAY
  return Math.min(6 * HOUR, MINUTE * 2 ** Math.max(0, attempts - 1))
}

export interface Progress {
  unanswered: number
  resubmitted: number
  createdAt: Date
}

/** Returns why an open credit needs an operator, or null. */
export function attentionOf({ unanswered, resubmitted, createdAt }: Progress, now: Date): Attention | null {
  if (unanswered >= maxAttempts) return 'unanswered'
  if (resubmitted >= maxAttempts) return 'unknownThere'
  return now.getTime() - createdAt.getTime() >= unfinishedAfter ? 'unfinished' : null
}

/** What an operator may decide about a credit; `ask`: ask the processor now; `order`: order what it left again. */
export type Decision = 'ask' | 'return' | 'paid' | 'order' | 'acknowledge'

/**
 * Returns the possible decisions. While a processor still answers in time, only it decides: an amount that it may yet pay
 * must not return to the balance.
 */
export function decisionsFor(status: RedemptionStatus, attention: Attention | null): Decision[] {
  const place = placeOf(status)
  if (place === 'open') return attention === null ? ['ask'] : ['ask', 'return', 'paid']
  if (attention === 'openAfterReturn') return ['ask', 'paid', 'acknowledge']
  if (attention === 'rejectedAfterPaid') return ['ask', 'return', 'acknowledge']
  if (attention === 'leftInClosedAccount') return ['ask', 'order', 'acknowledge']
  return attention === null ? ['ask'] : ['ask', 'acknowledge']
}
