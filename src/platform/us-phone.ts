import { phoneDigits } from './phone.ts'

/**
 * The area codes of the United States and its territories, as of October 2026: a row for each first digit, in it a group
 * for each second digit, in it the third digits. See docs/decisions/085.
 */
const areaCodes = [
  '12356789,023456789,0345789,1459,08,12346,0279,02469,13,',
  '12345789,023456789,01345679,0124679,0167,0123,01349,,056,',
  '12456789,0234579,345,0245,023578,8,349,02589,04,',
  '12345789,0235678,0,0149,01,179,12347,012345,0256,',
  '12356789,02456789,03689,016,0156,01679,01279,018,012469,',
  '1234678,23456789,045678,012478,0378,47,02359,0123459,1567,',
  '1234568,02345678,0168,012589,03578,046789,02345,028,,',
  '1346789,023456789,0589,0146789,0135789,12469,,0123589,034569,',
].map((row) => row.split(','))

/** Returns whether ten digits can be a number of the US: an area code in use, and an exchange that is no service code. */
function isUsNumber(digits: string): boolean {
  const [first = 0, second = 0] = [...digits].map(Number)
  const isInUse = areaCodes[first - 2]?.[second]?.includes(digits.charAt(2)) ?? false
  return isInUse && /^(?!.11)[2-9]/.test(digits.slice(3))
}

/** Returns the message key of the error in a phone number, or null when it is empty or valid. */
export function phoneProblem(text: string): string | null {
  if (text.trim() === '') return null
  const digits = phoneDigits(text)
  if (digits === null || digits.length !== 10) return 'validation.phone_format'
  return isUsNumber(digits) ? null : 'validation.phone_us'
}
