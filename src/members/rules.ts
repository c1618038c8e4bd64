import { phoneProblem } from '../kit/phone.ts'
import type { FieldError } from '../kit/refusal.ts'
import type { PublicConfig } from '../partners/contract.ts'
import type { DiningProgress, ProfileForm } from './contract.ts'

/** What a public id looks like: 128 random bits. */
export const publicIdPattern = /^[\w-]{22}$/

/** The visits that lead to VIP where the program does not say. */
export const defaultDinesRequired = 11

/** How far the meter stands: visits made, never below zero or above what is asked. */
export function visitsOf({ dinesRequired, remainingDines }: DiningProgress): { done: number; total: number } {
  const total = dinesRequired ?? defaultDinesRequired
  return { done: Math.min(total, Math.max(0, total - (remainingDines ?? total))), total }
}

/** Who has reached the goal, or is renewing it, works for next year. */
export function goalYear({ status }: DiningProgress, thisYear: number): number {
  return status === 'Building' ? thisYear : thisYear + 1
}

/** Which parts the profile form of a program has, and which of them must be filled. */
export function profileFields(config: PublicConfig) {
  return {
    namesEditable: config.enrollmentType !== 'sso',
    password: config.enrollmentType === 'direct',
    phone: config.hasSmsOptIn || config.hasSmsOptInV2,
    /** The second form of consent asks in a dialog of its own, and survives a change to another valid number. */
    smsDialog: config.hasSmsOptInV2,
    emailOptIn: !config.hideEmailOptIn,
    addressRequired: config.fullAddressRequired && config.currencyType !== 'Credit',
  }
}

/** What a program asks of a profile beyond the shape of the form; messages are copy keys. */
export function profileProblems(form: ProfileForm, config: PublicConfig): FieldError[] {
  const has = profileFields(config)
  const required = has.addressRequired ? (['address1', 'city', 'state'] as const) : []
  const problems: FieldError[] = required
    .filter((field) => form[field] === '')
    .map((field) => ({ field, message: 'validation.required' }))
  const phone = has.phone ? phoneProblem(form.phoneNumber) : null
  return phone === null ? problems : [...problems, { field: 'phoneNumber', message: phone }]
}

/**
 * Whether the consent to texts still stands after the phone number was edited: never without a number; the first form
 * of consent was given for one number, the second stays while there is a valid one.
 */
export function smsStands(
  { before, after }: { before: string; after: string },
  config: Pick<PublicConfig, 'hasSmsOptInV2'>,
): boolean {
  if (after.trim() === '') return false
  return config.hasSmsOptInV2 ? phoneProblem(after) === null : after === before
}
