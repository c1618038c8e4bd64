import { DAY } from '../kit/time.ts'
import type { CardType } from '../partners/contract.ts'

const patterns: Record<CardType, RegExp> = {
  AMEX: /^3[47]\d{13}$/,
  DISC: /^(?:6011\d{12}|65\d{14})$/,
  MAST: /^(?:5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d{2}|7[01]\d|720)\d{12})$/,
  VISA: /^4(?:\d{12}|\d{15})$/,
}

/** How the numbers of the four brands begin. */
const beginnings = /^(?:3[47]|6011|65|5[1-5]|22(?:2[1-9]|[3-9]\d)|2[3-6]\d\d|27(?:[01]\d|20)|4)/

const names: Record<CardType, string> = { AMEX: 'Amex', DISC: 'Discover', MAST: 'Mastercard', VISA: 'Visa' }
const kinds = { AMEX: 'amex', DISC: 'discover', MAST: 'mastercard', VISA: 'visa' } as const

/** So often a day a member may bring cards to the vault; who tries cards out tries many. */
export const mostExchangesADay = 20
/** The most cards of other programs that a member may ask for in a day. */
export const maxMoveRequestsADay = 5
/** The most from one address. */
export const maxMoveRequestsOfAddress = 10
/** For so long a move between programs can be undone, in milliseconds. */
export const undoMoveWithin = DAY
/** So many days before a card expires its member hears of it. */
export const expiresSoonDays = 60

/** The brand as people say it. */
export function brandName(type: CardType): string {
  return names[type]
}

/** The brand as the member's card names it. */
export function brandKind(type: CardType): (typeof kinds)[CardType] {
  return kinds[type]
}

/** Digits of what was typed; spaces and hyphens are how people write card numbers. */
export function cardDigits(typed: string): string {
  return typed.replace(/[\s-]/g, '')
}

/** The brand of a whole number; null when no brand has such a number. */
export function brandOf(number: string): CardType | null {
  return (Object.keys(patterns) as CardType[]).find((type) => patterns[type].test(number)) ?? null
}

/** Whether a number begins like one of the four brands, whole or not: others belong to a brand that no program accepts. */
export function beginsLikeBrand(number: string): boolean {
  return beginnings.test(number)
}

/** The checksum that every card number ends with. */
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

/** "Visa, Mastercard, Amex or Discover", in the given order. */
export function brandList(types: readonly CardType[], last: 'or' | 'and' = 'or'): string {
  const all = types.map(brandName)
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} ${last} ${all.at(-1)}`
}

/** `YYYY-MM` of what was typed as `MM/YY` or `MM/YYYY`; null when it is no month. */
export function expiryMonth(typed: string): string | null {
  const match = /^(0?[1-9]|1[0-2])\s*[/-]?\s*(?:20)?(\d{2})$/.exec(typed.trim())
  return match ? `20${match[2]}-${match[1]?.padStart(2, '0')}` : null
}

/** What a half-typed month becomes: `MM/`, then the year. A separator that was typed counts once, with or without spaces. */
export function formatExpiry(typed: string): string {
  const split = /^\s*(\d{1,2})[\s/.-]+(\d{0,4})/.exec(typed)
  if (split) return `${split[1]?.padStart(2, '0')}/${split[2]}`
  const digits = typed.replace(/\D/g, '').slice(0, 6)
  return digits.length < 2 ? digits : `${digits.slice(0, 2)}/${digits.slice(2)}`
}

/** A card is good to the end of its month. */
export function hasExpired(month: string, now: Date): boolean {
  return month < now.toISOString().slice(0, 7)
}

/** The most years that a card is good for when it is issued; no issuer gives more than ten. */
const mostCardYears = 25

/** Whether a text is a month in which a card can end: not past, and not further away than any card's end. */
export function isExpiryMonth(month: string, now: Date): boolean {
  const years = Number(month.slice(0, 4)) - now.getUTCFullYear()
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(month) && years <= mostCardYears
}

/** How many more cards can be linked, and how many of them are chosen, the typed one among them. */
export function placesFor({
  most,
  linked,
  chosen,
  typed,
}: {
  most: number
  linked: number
  chosen: number
  typed: boolean
}) {
  const room = Math.max(0, most - linked)
  const taken = chosen + (typed ? 1 : 0)
  return { room, taken, isFull: taken >= room, isOver: taken > room }
}

export interface CardHealth {
  /** The copy key that says until when the card is good, and how pressing that is; null when nobody knows. */
  expiry: 'cards.expires' | 'cards.expires_soon' | 'cards.expired' | null
  /** Whether meals earn already. */
  earns: boolean
}

/** How a linked card is. */
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

/** The cards of a form that are ready to be sent: one that was never filled in has no last four digits. */
export function submittable<C extends { lastFour: string }>(cards: readonly C[]): C[] {
  return cards.filter(({ lastFour }) => lastFour !== '')
}
