import { createHash, randomBytes } from 'node:crypto'

/** An unguessable public identifier: 128 random bits, 22 URL-safe characters. */
export function publicId(): string {
  return randomBytes(16).toString('base64url')
}

/** An unguessable secret: 256 random bits, 43 URL-safe characters. */
export function secretToken(): string {
  return randomBytes(32).toString('base64url')
}

/** SHA-256 of a high-entropy secret: what the database keeps in its place. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
