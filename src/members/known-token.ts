import { createHmac, timingSafeEqual } from 'node:crypto'
import { MINUTE } from '../kit/time.ts'

/** How long the answer about a known member is good for acting on it. */
const lasts = 15 * MINUTE

const seal = (key: Buffer, partnerId: string, publicId: string, until: string) =>
  createHmac('sha256', key).update(`known:${partnerId}:${publicId}:${until}`).digest('base64url')

/** A bearer token for acting on a known member for a quarter of an hour. */
export function signKnownToken(key: Buffer, partnerId: string, publicId: string, now = Date.now()): string {
  const until = String(now + lasts)
  return `${until}.${seal(key, partnerId, publicId, until)}`
}

/** Whether a token was made for this member of this partner, and is not over. */
export function isKnownToken(
  key: Buffer,
  given: { token: string; partnerId: string; publicId: string },
  now = Date.now(),
): boolean {
  const [until = '', sealed = ''] = given.token.split('.')
  const [a, b] = [Buffer.from(sealed), Buffer.from(seal(key, given.partnerId, given.publicId, until))]
  return a.length === b.length && timingSafeEqual(a, b) && Number(until) > now
}
