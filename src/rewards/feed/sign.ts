import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '../../kit/server/settings.ts'
import { MINUTE } from '../../kit/time.ts'

export interface Signed {
  /** The bytes as they travel; a text is taken as UTF-8. */
  body: Buffer | string
  /** The whole address that the sender was given. */
  url: string
  /** Milliseconds since 1970, as text. */
  timestamp: string
}

/** How far a message's clock may be from ours, to either side. */
export const signatureWindow = 5 * MINUTE

/** The key that a partner's card network signs with: base64 text, its own for every partner. */
export function feedKey(feedSecret: string, partnerId: string): string {
  return deriveKey(feedSecret, `feed:${partnerId}`).toString('base64')
}

/** The signature of a message (Fidel's): base64(hmac(key, base64(hmac(key, body + url + timestamp)))). */
export function signEvent(key: string, { body, url, timestamp }: Signed): string {
  const inner = createHmac('sha256', key).update(body).update(url).update(timestamp).digest('base64')
  return createHmac('sha256', key).update(inner).digest('base64')
}

export type SignatureFault = 'badSignature' | 'staleTimestamp'

export type CheckSignature = (
  key: string,
  message: Signed & { signature: string; now: number },
) => SignatureFault | null

/** What is wrong with a signed message, or null. `now` is the real time in milliseconds. */
export const checkSignature: CheckSignature = (key, { signature, now, ...signed }) => {
  const [expected, given] = [Buffer.from(signEvent(key, signed)), Buffer.from(signature)]
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return 'badSignature'
  // The time is part of what was signed: only now can it be believed.
  if (!/^\d{13}$/.test(signed.timestamp)) return 'staleTimestamp'
  return Math.abs(now - Number(signed.timestamp)) <= signatureWindow ? null : 'staleTimestamp'
}
