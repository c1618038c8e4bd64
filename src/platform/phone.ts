/**
 * Returns the digits of a US phone number without the leading 1, or null when it contains anything but digits and
 * separators.
 */
export function phoneDigits(text: string): string | null {
  if (!/^[\d\s().+-]*$/.test(text)) return null
  const digits = text.replace(/\D/g, '')
  return digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits
}

/** `2125550100` becomes `212-555-0100`. */
export function formatPhone(digits: string): string {
  return /^\d{10}$/.test(digits) ? `${digits.slice(0, 3)}-${digits.slice(3, 6)}-${digits.slice(6)}` : digits
}

/** Returns the address of a link that calls a US phone number. */
export const phoneHref = (phone: string): string => `tel:+1${phone.replace(/\D/g, '')}`
