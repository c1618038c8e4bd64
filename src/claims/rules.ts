import { DAY } from '../kit/time.ts'

/** A reward may take so many days to show; before that there is nothing to miss. */
export const postsWithinDays = 10
/** An operator answers a claim within so many days. */
export const answerWithinDays = 5
/** The most claims of a member that wait for an answer. */
export const maxOpenClaims = 10
/** Bytes of all receipts that are stored for a member. */
export const maxStoredReceiptBytes = 10 * 1024 * 1024
/** A receipt is deleted so many days after its claim was settled. */
export const receiptRetentionDays = 90
/** Bytes of a receipt. */
export const mostReceiptBytes = 2 * 1024 * 1024

export const receiptTypes = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] as const
export type ReceiptType = (typeof receiptTypes)[number]

/** How a claim can end; each has words of its own for the member. */
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

/** Whether a meal of a day (`YYYY-MM-DD`) has had its time: over ten days have passed since. */
export function isOverdue(date: string, now: Date): boolean {
  const days = Math.floor((Date.parse(now.toISOString().slice(0, 10)) - Date.parse(date)) / DAY)
  return days > postsWithinDays
}

/** Whether bytes begin as files of a type do; what a name says counts for nothing. */
export function looksLike(type: ReceiptType, bytes: Uint8Array): boolean {
  const begins = (...start: number[]) => start.every((byte, index) => bytes[index] === byte)
  switch (type) {
    case 'image/jpeg':
      return begins(0xff, 0xd8, 0xff)
    case 'image/png':
      return begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
    case 'image/webp':
      return begins(0x52, 0x49, 0x46, 0x46) && String.fromCharCode(...bytes.slice(8, 12)) === 'WEBP'
    default:
      return begins(0x25, 0x50, 0x44, 0x46, 0x2d)
  }
}
