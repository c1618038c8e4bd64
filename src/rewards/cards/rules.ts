import { DAY } from '../../platform/time.ts'
import type { CardType } from '../../programs/partners/contract.ts'

const patterns: Record<CardType, RegExp> = {
  AMEX: /^3[47]\d{13}$/,
  DISC: /^(?:6011\d{12}|65\d{14})$/,
  MAST: /^(?:5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d{2}|7[01]\d|720)\d{12})$/,
  VISA: /^4(?:\d{12}|\d{15})$/,
}

/** The prefixes of the four brands. */
const brandPrefixes = /^(?:3[47]|6011|65|5[1-5]|22(?:2[1-9]|[3-9]\d)|2[3-6]\d\d|27(?:[01]\d|20)|4)/

const names: Record<CardType, string> = { AMEX: 'Amex', DISC: 'Discover', MAST: 'Mastercard', VISA: 'Visa' }
const kinds = { AMEX: 'amex', DISC: 'discover', MAST: 'mastercard', VISA: 'visa' } as const

/** Maximum number of cards that a member may send to the vault per day; limits card testing. */
export const maxExchangesPerDay = 20
/** Maximum number of cards loaded by the partner that one member chooses within a day. */
export const maxLoadedPerDay = 50
/** Maximum number of cards of other programs that a member may request per day. */
export const maxMoveRequestsPerDay = 5
/** Maximum per IP address. */
export const maxMoveRequestsPerAddress = 10
/** Days before a card expires when its member is notified. */
export const expiresSoonDays = 60

/** Returns the display name of a brand. */
export function brandName(type: CardType): string {
  return names[type]
}

/** Returns the brand as `MemberCard` names it. */
export function brandKind(type: CardType): (typeof kinds)[CardType] {
  return kinds[type]
}

/** Returns the digits of typed text; people write card numbers with spaces and hyphens, and copy other dashes. */
export function cardDigits(typed: string): string {
  return typed.replace(/[\s\p{Pd}−]/gu, '')
}

/** Returns the brand of a complete number; null for other brands and lengths. */
export function brandOf(number: string): CardType | null {
  return (Object.keys(patterns) as CardType[]).find((type) => patterns[type].test(number)) ?? null
}

/** Returns whether a number, complete or not, has a prefix of the four brands: no program accepts others. */
export function hasBrandPrefix(number: string): boolean {
  return brandPrefixes.test(number)
}

/** Returns whether a number passes the Luhn check. */
export function passesLuhn(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false
  let sum = 0
  for (let index = 0; index < number.length; index++) {
    const digit = Number(number[number.length - 1 - index])
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** Returns "Visa, Mastercard, Amex or Discover", in the given order. */
export function brandList(types: readonly CardType[], last: 'or' | 'and' = 'or'): string {
  const all = types.map(brandName)
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} ${last} ${all.at(-1)}`
}

/**
 * Formats a partly typed card number in groups of digits, as they are on the card. Digits beyond its length stay, and a
 * text with anything else is returned unchanged: the form says that it is wrong.
 */
export function formatCardNumber(typed: string): string {
  const digits = cardDigits(typed)
  if (/\D/.test(digits)) return typed
  const groups = /^3[47]/.test(digits) ? /^(\d{0,4})(\d{0,6})(\d*)/ : /^(\d{0,4})(\d{0,4})(\d{0,4})(\d*)/
  return groups.exec(digits)?.slice(1).filter(Boolean).join(' ') ?? digits
}

/** Returns `YYYY-MM` for `MM/YY` or `MM/YYYY`; null for anything else. */
export function expiryMonth(typed: string): string | null {
  const match = /^(0?[1-9]|1[0-2])\s*[/-]?\s*(?:20)?(\d{2})$/.exec(typed.trim())
  return match ? `20${match[2]}-${match[1]?.padStart(2, '0')}` : null
}

/**
 * Formats a partly typed month: `MM/`, then the year. A typed separator counts once, with or without spaces. Any other
 * text is returned unchanged: the form says that it is wrong.
 */
export function formatExpiry(typed: string): string {
  const split = /^\s*(\d{1,2})[\s/.-]+(\d*)\s*$/.exec(typed)
  if (split) return `${split[1]?.padStart(2, '0')}/${split[2]}`
  const digits = typed.trim()
  if (/\D/.test(digits)) return typed
  return digits.length < 2 ? digits : `${digits.slice(0, 2)}/${digits.slice(2)}`
}

/** A card is valid to the end of its month. */
export function hasExpired(month: string, now: Date): boolean {
  return month < now.toISOString().slice(0, 7)
}

/** Maximum years from issue to expiry; no issuer exceeds ten. */
const maxCardYears = 25

/** Returns whether a text is a possible month of expiry: not past, and at most `maxCardYears` away. */
export function isExpiryMonth(month: string, now: Date): boolean {
  const years = Number(month.slice(0, 4)) - now.getUTCFullYear()
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(month) && years <= maxCardYears
}

/** Returns how many more cards can be linked, and how many are chosen, including a typed one. */
export function cardCapacity({
  maximum,
  linked,
  chosen,
  typed,
}: {
  maximum: number
  linked: number
  chosen: number
  typed: boolean
}) {
  const remaining = Math.max(0, maximum - linked)
  const taken = chosen + (typed ? 1 : 0)
  return { remaining, taken, isFull: taken >= remaining, isOver: taken > remaining }
}

export interface CardHealth {
  /** The copy key about the expiry, by urgency; null when the expiry is unknown. */
  expiry: 'cards.expires' | 'cards.expires_soon' | 'cards.expired' | null
  /** Whether transactions earn already. */
  earns: boolean
}

/** Returns the state of a linked card. */
export function healthOf(card: { earnsFrom: string; expires: string | null }, now: Date): CardHealth {
  return {
    expiry: card.expires === null ? null : expiryOf(card.expires, now),
    earns: Date.parse(card.earnsFrom) <= now.getTime(),
  }
}

function expiryOf(month: string, now: Date): NonNullable<CardHealth['expiry']> {
  if (hasExpired(month, now)) return 'cards.expired'
  const [year, number] = month.split('-').map(Number) as [number, number]
  const end = Date.UTC(year, number, 1)
  return end - now.getTime() <= expiresSoonDays * DAY ? 'cards.expires_soon' : 'cards.expires'
}
