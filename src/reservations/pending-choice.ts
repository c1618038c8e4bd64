import { HOUR } from '../kit/time.ts'

/** A table that was chosen before its diner had signed in. */
export interface PendingChoice {
  merchantId: string
  date: string
  time: string
  partySize: number
}

/** As long as a sign-in page remembers where it came from: milliseconds. */
const keptFor = HOUR

export function pendingText(choice: PendingChoice, now: number): string {
  return JSON.stringify({ ...choice, at: now })
}

/** What is kept for this restaurant; null when it is for another one, too old, or not to be read. */
export function readPending(text: string | null, merchantId: string, now: number): PendingChoice | null {
  if (!text) return null
  try {
    const { at, ...choice } = JSON.parse(text) as PendingChoice & { at: number }
    return isChoice(choice) && choice.merchantId === merchantId && now - at < keptFor ? choice : null
  } catch {
    return null
  }
}

// By hand: a page that books nothing needs no validator.
function isChoice({ date, time, partySize }: PendingChoice): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(date) && /^\d\d:\d\d$/.test(time) && Number.isInteger(partySize)
}
