import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MINUTE } from '../time.ts'

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

/** The signature of a message (Fidel's): base64(hmac(key, base64(hmac(key, body + url + timestamp)))). */
export function signMessage(key: string, { body, url, timestamp }: Signed): string {
  const inner = createHmac('sha256', key).update(body).update(url).update(timestamp).digest('base64')
  return createHmac('sha256', key).update(inner).digest('base64')
}

/** What a signed message carries beside its body. `now` is in milliseconds since 1970. */
export function signatureHeaders(key: string, { body, url }: Pick<Signed, 'body' | 'url'>, now: number) {
  const timestamp = String(now)
  return {
    'content-type': 'application/json',
    'x-dineback-timestamp': timestamp,
    'x-dineback-signature': signMessage(key, { body, url, timestamp }),
  }
}

export type SignatureFault = 'badSignature' | 'staleTimestamp'

export type CheckSignature = (
  key: string,
  message: Signed & { signature: string; now: number },
) => SignatureFault | null

/** What is wrong with a signed message, or null. `now` is the real time in milliseconds. */
export const checkSignature: CheckSignature = (key, { signature, now, ...signed }) => {
  const [expected, given] = [Buffer.from(signMessage(key, signed)), Buffer.from(signature)]
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return 'badSignature'
  // The time is part of what was signed: only now can it be believed.
  if (!/^\d{13}$/.test(signed.timestamp)) return 'staleTimestamp'
  return Math.abs(now - Number(signed.timestamp)) <= signatureWindow ? null : 'staleTimestamp'
}

export interface SignedDoor {
  /** The keys that the sender may have signed with: any of them will do. */
  keys: (request: FastifyRequest) => readonly string[]
  /** The public origin of a partner: what the sender was given as the address to call. */
  origin: (partnerId: string) => string
  /** For tests: another check, another clock. */
  check?: CheckSignature
  clock?: () => number
}

/**
 * What is wrong with the signature of a request whose bytes were kept, or null. The signature is over the bytes as they
 * came and the address that was called.
 */
export function signatureFault(request: FastifyRequest, body: Buffer, door: SignedDoor): SignatureFault | null {
  const signature = headerOf(request, 'signature')
  const timestamp = headerOf(request, 'timestamp')
  if (signature === undefined || timestamp === undefined) return 'badSignature'
  const url = door.origin(request.ctx.partnerId) + request.url
  const message = { body, url, timestamp, signature, now: (door.clock ?? Date.now)() }
  const check = door.check ?? checkSignature
  const faults = door.keys(request).map((key) => check(key, message))
  // Too late is said only of what was truly signed.
  return faults.includes(null) ? null : (faults.find((fault) => fault === 'staleTimestamp') ?? 'badSignature')
}

/** Our own header, or the network's whose signature this is. */
function headerOf({ headers }: FastifyRequest, name: 'signature' | 'timestamp'): string | undefined {
  const value = headers[`x-dineback-${name}`] ?? headers[`x-fidel-${name}`]
  return typeof value === 'string' ? value : undefined
}

/** Keeps bodies of a type as bytes until their signature was checked. */
export function keepBytes(app: FastifyInstance, type: string, bodyLimit?: number): void {
  const options = { parseAs: 'buffer', ...(bodyLimit !== undefined && { bodyLimit }) } as const
  app.addContentTypeParser(type, options, async (_request: FastifyRequest, bytes: Buffer) => bytes)
}
