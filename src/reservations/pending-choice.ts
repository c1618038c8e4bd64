import { z } from 'zod'
import { HOUR } from '../kit/time.ts'
import { SlotTime } from './contract.ts'

/** A table that was chosen before its diner had signed in. */
const PendingChoice = z.object({
  merchantId: z.string(),
  date: z.iso.date(),
  time: SlotTime,
  partySize: z.number().int().min(1).max(30),
})
export type PendingChoice = z.infer<typeof PendingChoice>

/** As long as a sign-in page remembers where it came from: milliseconds. */
const keptFor = HOUR
const Kept = z.object({ ...PendingChoice.shape, at: z.number() })

export function pendingText(choice: PendingChoice, now: number): string {
  return JSON.stringify({ ...choice, at: now })
}

/** What is kept for this restaurant; null when it is for another one, too old, or not to be read. */
export function readPending(text: string | null, merchantId: string, now: number): PendingChoice | null {
  if (!text) return null
  try {
    const { at, ...choice } = Kept.parse(JSON.parse(text))
    return choice.merchantId === merchantId && now - at < keptFor ? choice : null
  } catch {
    return null
  }
}
