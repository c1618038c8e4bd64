import { DAY } from '../../platform/time.ts'

/** Days within which a reward is posted; before that nothing is missing. */
export const postsWithinDays = 10
/** Days within which an operator decides a claim. */
export const decisionWithinDays = 5
/** Maximum number of a member's open claims. */
export const maxOpenClaims = 10
/** Maximum bytes of all receipts stored for a member. */
export const maxStoredReceiptBytes = 10 * 1024 * 1024
/** Days after the settlement of a claim when its receipt is deleted. */
export const receiptRetentionDays = 90
/** Maximum bytes of a receipt. */
export const maxReceiptBytes = 2 * 1024 * 1024

export const receiptTypes = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] as const
export type ReceiptType = (typeof receiptTypes)[number]

/** The possible decisions of a claim; each has its own text for the member. */
export const resolutions = [
  'credited',
  'alreadyEarned',
  'cardNotLinked',
  'notParticipating',
  'noRewardThen',
  'notCaptured',
  'otherProgram',
  'noEvidence',
] as const
export type Resolution = (typeof resolutions)[number]

/** Returns whether more than ten days have passed since a day (`YYYY-MM-DD`). */
export function isOverdue(date: string, now: Date): boolean {
  const days = Math.floor((Date.parse(now.toISOString().slice(0, 10)) - Date.parse(date)) / DAY)
  return days > postsWithinDays
}

/** Returns whether a day (`YYYY-MM-DD`) has begun in no time zone yet. */
export function isFutureDate(date: string, now: Date): boolean {
  return Date.parse(date) > now.getTime() + DAY
}

/** Returns whether bytes have the signature of a file type; the file name is ignored. */
export function matchesFileType(type: ReceiptType, bytes: Uint8Array): boolean {
  const startsWith = (...start: number[]) => start.every((byte, index) => bytes[index] === byte)
  switch (type) {
    case 'image/jpeg':
      return startsWith(0xff, 0xd8, 0xff)
    case 'image/png':
      return startsWith(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
    case 'image/webp':
      return startsWith(0x52, 0x49, 0x46, 0x46) && String.fromCharCode(...bytes.slice(8, 12)) === 'WEBP'
    default:
      return startsWith(0x25, 0x50, 0x44, 0x46, 0x2d)
  }
}
