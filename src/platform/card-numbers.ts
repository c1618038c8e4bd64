// Digits inside hexadecimal or other codes are neither alone nor grouped; UUIDs are removed first.
const digitRuns = /(?<![A-Za-z0-9]|\d[ -])\d(?:[ -]?\d){11,18}(?![A-Za-z0-9]|[ -]\d)/g
const uuids = /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi

/**
 * Returns whether a value contains, at any depth, a possible full card number: 12 to 19 digits that pass the Luhn
 * check, alone or grouped by spaces or hyphens. Keys are checked too.
 */
export function holdsCardNumber(value: unknown): boolean {
  const open: { value: unknown; acquirer: boolean }[] = [{ value, acquirer: false }]
  // An explicit stack: a body may be nested deeper than the call stack allows.
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: found, acquirer } = next
    if (typeof found === 'string' && textHoldsCardNumber(found, acquirer)) return true
    if (typeof found === 'number' && numberLooksLikeCard(found, acquirer)) return true
    if (typeof found !== 'object' || found === null) continue
    for (const [key, inner] of Object.entries(found)) {
      if (textHoldsCardNumber(key, false)) return true
      open.push({ value: inner, acquirer: acquirer || key === 'identifiers' })
    }
  }
  return false
}

/** Returns a text in which `(card number)` stands for each possible full card number, for messages and records. */
export const withoutCardNumbers = (text: string): string =>
  text.replace(digitRuns, (run) => (passesLuhn(run.replace(/[ -]/g, '')) ? '(card number)' : run))

function textHoldsCardNumber(text: string, acquirer: boolean): boolean {
  for (const [run] of text.replace(uuids, '').matchAll(digitRuns)) {
    const digits = run.replace(/[ -]/g, '')
    if (passesLuhn(digits) && (!acquirer || startsLikeCard(digits))) return true
  }
  return false
}

// Beyond 2^53 a number has lost its last digits and cannot be checked; no value of ours is that large.
function numberLooksLikeCard(number: number, acquirer: boolean): boolean {
  if (!Number.isSafeInteger(number)) return Math.abs(number) >= 1e11
  return textHoldsCardNumber(String(Math.abs(number)), acquirer)
}

// Acquirers number their restaurants with 12 to 15 digits, a tenth of which pass the Luhn check by chance.
function startsLikeCard(digits: string): boolean {
  return /^(4(\d{12}|\d{15}|\d{18})|3[47]\d{13}|(5[1-5]|2[2-7])\d{14}|6011\d{12,15}|65\d{14,17}|64[4-9]\d{13,16})$/.test(
    digits,
  )
}

/** Returns whether digits pass the checksum of card numbers. */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48
    const doubled = i % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
