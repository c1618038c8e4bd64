/**
 * Returns the digits of a US phone number without the leading 1, or null when it contains anything but digits and
 * separators.
 */
export function phoneDigits(text: string): string | null {
  if (!/^[\d\s().+-]*$/.test(text)) return null
  const digits = text.replace(/\D/g, '')
  return digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits
}

/** Returns the message key of the error in a phone number, or null when it is empty or valid. */
export function phoneProblem(text: string): string | null {
  if (text.trim() === '') return null
  const digits = phoneDigits(text)
  if (digits === null || digits.length !== 10) return 'validation.phone_format'
  return /^[2-9]\d{2}[2-9]\d{6}$/.test(digits) ? null : 'validation.phone_us'
}

/** `2125550100` becomes `212-555-0100`. */
export function formatPhone(digits: string): string {
  return /^\d{10}$/.test(digits) ? `${digits.slice(0, 3)}-${digits.slice(3, 6)}-${digits.slice(6)}` : digits
}
