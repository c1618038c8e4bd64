import { DAY, MINUTE } from '../kit/time.ts'
import type { PublicConfig } from '../partners/contract.ts'
import { plainPartnerNumber } from '../partners/rules.ts'

/** A code that was mailed is good for this long, in milliseconds. */
export const codeLength = 30 * MINUTE
/**
 * Nobody's mailbox gets more codes than this while one is good, whoever asks for them: who is kept from another one has
 * one that works.
 */
export const mostCodes = 5
/** Further codes of a day are links only: each set of digits can be guessed at a few times. */
export const maxDigitsPerDay = 10
export const digitsWindow = DAY
/** How often digits may be tried in the browser that asked for them; the link of the mail stays good. */
export const maxTries = 5
/** The most requests of one address within the life of a code, for any names. */
export const maxRequestsOfAddress = 10
/** The most of one address for one name: a stranger alone does not use up what a member may be sent. */
export const maxRequestsForName = 3

/** Whether a text can be a user name of this program: an e-mail address or, where there are such, a partner number. */
export function isUserName(text: string, config: Pick<PublicConfig, 'hasPPN' | 'partnerNumberPattern'>): boolean {
  const name = text.trim()
  if (/^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/.test(name)) return true
  return config.hasPPN && new RegExp(config.partnerNumberPattern).test(plainPartnerNumber(name, config))
}

/** The copy key of what is wrong with a user name as typed; null when it can be one. */
export function userNameProblem(
  text: string,
  config: Pick<PublicConfig, 'hasPPN' | 'partnerNumberPattern'>,
): string | null {
  if (text.trim() === '') return config.hasPPN ? 'validation.user_name_missing' : 'validation.email_missing'
  return isUserName(text, config) ? null : nameProblem(config)
}

/** The copy key of what a wrong user name is answered with. */
export const nameProblem = ({ hasPPN }: Pick<PublicConfig, 'hasPPN'>) =>
  hasPPN ? 'recovery.name_invalid' : 'recovery.name_invalid_email'

// Without letters that are taken for others (Crockford): it may be read aloud and typed.
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const letters = 26

/** A code of 130 bits, for people: `7K3MD-0QX9T-…`. `random` gives that many bytes. */
export function codeOf(random: (count: number) => Uint8Array): string {
  const text = [...random(letters)].map((byte) => alphabet[byte % 32]).join('')
  return text.match(/.{1,5}/g)?.join('-') ?? ''
}

/** Six digits for typing. `random` gives a whole number below a limit. */
export function digitsOf(random: (limit: number) => number): string {
  return String(random(1_000_000)).padStart(6, '0')
}

/** The six digits that somebody typed, with or without spaces; null for anything else. */
export function typedDigits(typed: string): string | null {
  const digits = typed.replace(/[\s-]/g, '')
  return /^\d{6}$/.test(digits) ? digits : null
}

/** A code as it is compared, however it was typed: `o` for zero, small letters, spaces. */
export function plainCode(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
}
