/** US dollars as integer cents. Arithmetic on money is integer arithmetic; only text has a decimal point. */
export type Cents = number

/** `1250` becomes `$12.50`, and `-1250` becomes `−$12.50`. */
export function formatCents(cents: Cents): string {
  return `${signOf(cents)}$${grouped((Math.abs(cents) / 100).toFixed(2))}`
}

/** `1234` becomes `1,234`, and `-1234` becomes `−1,234`. */
export function formatCount(count: number): string {
  return `${signOf(count)}${grouped(Math.abs(count).toFixed(0))}`
}

/** `1234.5` becomes `1,234.5`: at most four decimals. */
export function formatDecimal(value: number): string {
  const [whole = '', fraction = ''] = Math.abs(value).toFixed(4).split('.')
  const shown = fraction.replace(/0+$/, '')
  return `${value < 0 ? '-' : ''}${grouped(whole)}${shown && `.${shown}`}`
}

// A minus sign is easier to see before an amount than a hyphen.
const signOf = (value: number) => (value < 0 ? '−' : '')

// Not by Intl: a browser takes 10 ms, a phone 40, to create its first number format, before a page can be used.
const grouped = (digits: string) => digits.replace(/\d(?=(\d{3})+(\.|$))/g, '$&,')

/** Pattern of a typed amount below 100,000 dollars: `60`, `$80`, `1,000`, `1,000.50`. */
export const amountPattern = /^\$? ?(\d{1,5}|\d{1,2},\d{3})(\.\d{0,2})?$/
/** Like `amountPattern`, but above zero. */
export const positiveAmountPattern = /^\$? ?(?!0+(\.0*)?$)(\d{1,5}|\d{1,2},\d{3})(\.\d{0,2})?$/

/** Parses a typed amount. Returns cents, or null when the text is not an amount. */
export function parseDollars(typed: string): Cents | null {
  const text = typed.trim()
  return amountPattern.test(text) ? centsFromDecimal(text.replace(/[$, ]/g, '').replace(/\.$/, '')) : null
}

const soughtAmount =
  /^(?:[-−+] ?)?(\$ ?)?(\d{1,9}|\d{1,3}(?:,\d{3}){1,2})(\.\d{1,2})?(?: ?(miles?|points?)| ?(?:dollars?|usd))?$/i

/** An amount that somebody looks for, without its sign. `unit` is what was typed with it; null: dollars or rewards. */
export interface SoughtAmount {
  /** `2600.00` */
  number: string
  unit: 'dollars' | 'rewards' | null
}

/** Reads an amount to look for: `$2,600.00`, `-4.21`, `200,000 miles`. Returns null for what is none. */
export function readSoughtAmount(typed: string): SoughtAmount | null {
  const [all = '', dollar, whole = '', fraction, reward] = soughtAmount.exec(typed.trim()) ?? []
  const isMoney = dollar !== undefined || fraction !== undefined || /d/i.test(all)
  if (all === '' || (isMoney && reward !== undefined)) return null
  const number = `${whole.replaceAll(',', '')}${fraction ?? ''}`
  return { number, unit: isMoney ? 'dollars' : reward === undefined ? null : 'rewards' }
}

/** Reads dollars to look for: `42`, `$2,600.00`. Returns cents, or null for what is none. */
export function readSoughtDollars(typed: string): Cents | null {
  const sought = readSoughtAmount(typed)
  return sought === null || sought.unit === 'rewards' ? null : centsFromDecimal(sought.number)
}

/** `1250` becomes `12.50`, the format of amounts in APIs. */
export function decimalFromCents(cents: Cents): string {
  const whole = Math.floor(Math.abs(cents) / 100)
  return `${cents < 0 ? '-' : ''}${whole}.${String(Math.abs(cents) % 100).padStart(2, '0')}`
}

/**
 * Parses a decimal amount as cents without binary fractions ("19.99" is 1999). Throws RangeError unless it is an
 * optional sign, digits and at most two decimals.
 */
export function centsFromDecimal(amount: number | string): Cents {
  const text = typeof amount === 'number' ? decimalOf(amount) : amount
  const parts = /^(-?)(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text)
  if (!parts) throw new RangeError(`not an amount of money: ${text}`)
  const [, sign, whole, fraction = ''] = parts
  const cents = Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
  return sign === '-' && cents !== 0 ? -cents : cents
}

function decimalOf(amount: number): string {
  return Math.abs(amount) < 1e12 ? String(amount) : 'too large'
}
