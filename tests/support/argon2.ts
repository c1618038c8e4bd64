import { createRequire } from 'node:module'

// Vitest resolves `@node-rs/argon2` to this module. Tests create hundreds of members with one password, and hashing it
// each time was a fifth of their work: its first hash is used again. Every other password is hashed and verified for real.
const real = createRequire(import.meta.url)('@node-rs/argon2') as typeof import('@node-rs/argon2')

const usual = 'sourdough 4 breakfast'
const hashes = new Map<string, Promise<string>>()

export const { hashSync, verifySync } = real

export function hash(...given: Parameters<typeof real.hash>): Promise<string> {
  const [password, options] = given
  if (password !== usual) return real.hash(...given)
  const key = JSON.stringify(options)
  const known = hashes.get(key) ?? real.hash(...given)
  hashes.set(key, known)
  return known
}

export async function verify(...given: Parameters<typeof real.verify>): Promise<boolean> {
  const [stored, password] = given
  const own = await Promise.all(hashes.values())
  return password === usual && own.includes(String(stored)) ? true : real.verify(...given)
}
