import { HOUR } from '../../platform/time.ts'

/** A table that was selected before sign-in. */
export interface PendingChoice {
  merchantId: string
  date: string
  time: string
  partySize: number
}

/** Lifetime in milliseconds, the same as for the return address of a sign-in page. */
const ttlMs = HOUR

export function serializePending(choice: PendingChoice, now: number): string {
  return JSON.stringify({ ...choice, at: now })
}

/** Returns the selection stored for this restaurant; null for another one, and when expired or invalid. */
export function parsePending(text: string | null, merchantId: string, now: number): PendingChoice | null {
  if (!text) return null
  try {
    const { at, ...choice } = JSON.parse(text) as PendingChoice & { at: number }
    return isChoice(choice) && choice.merchantId === merchantId && now - at < ttlMs ? choice : null
  } catch {
    return null
  }
}

// Checked without a library: pages that book nothing need not load a validator.
function isChoice({ date, time, partySize }: PendingChoice): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(date) && /^\d\d:\d\d$/.test(time) && Number.isInteger(partySize)
}
