import { createHmac, timingSafeEqual } from 'node:crypto'
import { MINUTE } from '../../platform/time.ts'

/** Lifetime of a token. */
const tokenTtlMs = 15 * MINUTE

const seal = (key: Buffer, partnerId: string, publicId: string, until: string) =>
  createHmac('sha256', key).update(`known:${partnerId}:${publicId}:${until}`).digest('base64url')

/** Returns a bearer token for acting on a known member, valid for 15 minutes. */
export function signKnownToken(key: Buffer, partnerId: string, publicId: string, now = Date.now()): string {
  const until = String(now + tokenTtlMs)
  return `${until}.${seal(key, partnerId, publicId, until)}`
}

/** Returns true for an unexpired token of this member and partner. */
export function isKnownToken(
  key: Buffer,
  given: { token: string; partnerId: string; publicId: string },
  now = Date.now(),
): boolean {
  const [until = '', sealed = ''] = given.token.split('.')
  const [a, b] = [Buffer.from(sealed), Buffer.from(seal(key, given.partnerId, given.publicId, until))]
  return a.length === b.length && timingSafeEqual(a, b) && Number(until) > now
}
