import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MINUTE } from '../time.ts'

export interface SignedMessage {
  /** The raw bytes of the body; a string is encoded as UTF-8. */
  body: Buffer | string
  /** The full URL that the sender called. */
  url: string
  /** Milliseconds since 1970, as text. */
  timestamp: string
}

/** Maximum clock difference between sender and receiver, in either direction (milliseconds). */
export const signatureWindow = 5 * MINUTE

/**
 * Returns the signature of a message (Fidel's scheme): base64(hmac(key, base64(hmac(key, body + url + timestamp)))).
 */
export function signMessage(key: string, { body, url, timestamp }: SignedMessage): string {
  const inner = createHmac('sha256', key).update(body).update(url).update(timestamp).digest('base64')
  return createHmac('sha256', key).update(inner).digest('base64')
}

/** Returns the headers of a signed message. `now` is in milliseconds since 1970. */
export function signatureHeaders(key: string, { body, url }: Pick<SignedMessage, 'body' | 'url'>, now: number) {
  const timestamp = String(now)
  return {
    'content-type': 'application/json',
    'x-dineback-timestamp': timestamp,
    'x-dineback-signature': signMessage(key, { body, url, timestamp }),
  }
}

export type SignatureError = 'badSignature' | 'staleTimestamp'

export type CheckSignature = (
  key: string,
  message: SignedMessage & { signature: string; now: number },
) => SignatureError | null

/** Returns the error in a signed message, or null. `now` is the real time in milliseconds. */
export const checkSignature: CheckSignature = (key, { signature, now, ...signed }) => {
  const [expected, given] = [Buffer.from(signMessage(key, signed)), Buffer.from(signature)]
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return 'badSignature'
  // The timestamp is part of the signed content, so it can be trusted only now.
  if (!/^\d{13}$/.test(signed.timestamp)) return 'staleTimestamp'
  return Math.abs(now - Number(signed.timestamp)) <= signatureWindow ? null : 'staleTimestamp'
}

export interface SignedWebhook {
  /** Accepted keys: the signature must match one of them. */
  keys: (request: FastifyRequest) => readonly string[]
  /** Returns the public origin of a partner, part of the URL that the sender calls. */
  origin: (partnerId: string) => string
  /** Overrides for tests: signature check and clock. */
  check?: CheckSignature
  clock?: () => number
}

/**
 * Returns the error in the signature of a request with a raw body, or null. The signature covers the received bytes and
 * the called URL.
 */
export function findSignatureError(
  request: FastifyRequest,
  body: Buffer,
  webhook: SignedWebhook,
): SignatureError | null {
  const signature = headerOf(request, 'signature')
  const timestamp = headerOf(request, 'timestamp')
  if (signature === undefined || timestamp === undefined) return 'badSignature'
  const url = webhook.origin(request.ctx.partnerId) + request.url
  const message = { body, url, timestamp, signature, now: (webhook.clock ?? Date.now)() }
  const check = webhook.check ?? checkSignature
  const faults = webhook.keys(request).map((key) => check(key, message))
  // `staleTimestamp` is returned only for a valid signature.
  return faults.includes(null) ? null : (faults.find((fault) => fault === 'staleTimestamp') ?? 'badSignature')
}

/** Returns our own header, or the card network's. */
function headerOf({ headers }: FastifyRequest, name: 'signature' | 'timestamp'): string | undefined {
  const value = headers[`x-dineback-${name}`] ?? headers[`x-fidel-${name}`]
  return typeof value === 'string' ? value : undefined
}

/** Parses bodies of a type as raw bytes, for signature checks. */
export function registerRawBodyParser(app: FastifyInstance, type: string, bodyLimit?: number): void {
  const options = { parseAs: 'buffer', ...(bodyLimit !== undefined && { bodyLimit }) } as const
  if (app.hasContentTypeParser(type)) app.removeContentTypeParser(type)
  app.addContentTypeParser(type, options, async (_request: FastifyRequest, bytes: Buffer) => bytes)
}
