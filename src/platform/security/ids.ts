import { createHash, randomBytes, randomFillSync } from 'node:crypto'

// Random bytes for many ids at once; each is used only once.
const pool = Buffer.alloc(16 * 256)
let used = pool.length

/**
 * An unguessable public identifier: 128 random bits, 22 URL-safe characters. The first one is never a hyphen: a command
 * would take the id for an option, and a spreadsheet for a formula.
 */
export function publicId(): string {
  for (;;) {
    if (used === pool.length) {
      randomFillSync(pool)
      used = 0
    }
    used += 16
    const id = pool.toString('base64url', used - 16, used)
    if (!id.startsWith('-')) return id
  }
}

/** An unguessable secret: 256 random bits, 43 URL-safe characters. */
export function secretToken(): string {
  return randomBytes(32).toString('base64url')
}

/** SHA-256 of a high-entropy secret; the database stores it in place of the secret. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
