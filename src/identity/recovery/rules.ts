import type { FieldError } from '../../platform/errors.ts'
import { DAY, MINUTE } from '../../platform/time.ts'
import type { PublicConfig } from '../../programs/partners/contract.ts'
import { plainPartnerNumber } from '../../programs/partners/rules.ts'

/** Lifetime of an emailed code in milliseconds. */
export const codeTtlMs = 30 * MINUTE
/**
 * Maximum number of codes that a mailbox gets within the lifetime of a code, used ones included, regardless of who
 * requests them. A member who has used none of them still has a valid one.
 */
export const maxCodes = 5
/** Further codes of a day are links only, because each set of digits allows a few guesses. */
export const maxDigitsPerDay = 10
export const digitsWindowMs = DAY
/** Attempts with digits in the requesting browser; the link of the email remains valid. */
export const maxTries = 5
/** Maximum requests of one address within the lifetime of a code, for all names. */
export const maxRequestsOfAddress = 10
/** Maximum requests of one address for one name, so that one stranger cannot use up a member's limit. */
export const maxRequestsForName = 3

/**
 * Returns true when a text has the form of a user name: an email address or, where programs have them, a partner
 * number.
 */
export function isUserName(text: string, config: Pick<PublicConfig, 'hasPPN' | 'partnerNumberPattern'>): boolean {
  const name = text.trim()
  if (/^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/.test(name)) return true
  return config.hasPPN && new RegExp(config.partnerNumberPattern).test(plainPartnerNumber(name, config))
}

/** Returns the copy key of the problem of a typed user name; null when it is valid. */
export function userNameProblem(
  text: string,
  config: Pick<PublicConfig, 'hasPPN' | 'partnerNumberPattern'>,
): string | null {
  if (text.trim() === '') return config.hasPPN ? 'validation.user_name_missing' : 'validation.email_missing'
  return isUserName(text, config) ? null : nameProblem(config)
}

/** Returns the problems of a filled-in request. */
export function recoverProblems(
  { userName }: { userName: string },
  config: Pick<PublicConfig, 'hasPPN' | 'partnerNumberPattern'>,
): FieldError[] {
  const message = userNameProblem(userName, config)
  return message === null ? [] : [{ field: 'userName', message }]
}

/** Returns the copy key of the error for an invalid user name. */
export const nameProblem = ({ hasPPN }: Pick<PublicConfig, 'hasPPN'>) =>
  hasPPN ? 'recovery.name_invalid' : 'recovery.name_invalid_email'

/** Characters of the code in a link: 130 bits. */
export const codeCharacters = 26

/** Returns six digits for typing. `random` returns an integer below a limit. */
export function generateDigits(random: (limit: number) => number): string {
  return String(random(1_000_000)).padStart(6, '0')
}

/** Returns the six typed digits, without spaces; null for anything else. */
export function typedDigits(typed: string): string | null {
  const digits = typed.replace(/[\s-]/g, '')
  return /^\d{6}$/.test(digits) ? digits : null
}
