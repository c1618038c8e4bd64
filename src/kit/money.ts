/** US dollars as whole cents. Arithmetic on money is integer arithmetic; only text has a point. */
export type Cents = number

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const plain = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** `1250` becomes `$12.50`. */
export function formatCents(cents: Cents): string {
  return dollars.format(cents / 100)
}

/** `1234` becomes `1,234`. */
export function formatCount(count: number): string {
  return plain.format(count)
}

/**
 * Reads a decimal amount as cents without passing through binary fractions ("19.99" is 1999).
 * Throws a RangeError on anything but an optional sign, digits and at most two decimals.
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
