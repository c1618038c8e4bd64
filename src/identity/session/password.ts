import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import type * as Language from '@zxcvbn-ts/language-common'
import { ApiError } from '../../platform/errors.ts'
import { cutPassword, passwordFloor } from './rules.ts'

// OWASP's minimum for argon2id: 19 MiB, two passes, one thread.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Returns a function that runs work: `maxConcurrent` at a time, in the order of the calls. It throws `busy` when
 * `maxQueued` are waiting.
 */
export function createTurns({ maxConcurrent, maxQueued }: { maxConcurrent: number; maxQueued: number }) {
  let working = 0
  const waiting: Array<() => void> = []
  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (working < maxConcurrent) working++
    else {
      if (waiting.length >= maxQueued) throw new ApiError('busy')
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    try {
      return await work()
    } finally {
      // The turn passes to the next one directly: a call at this moment must not take it.
      const next = waiting.shift()
      if (next) next()
      else working--
    }
  }
}

// Hashing is deliberately expensive: a flood of sign-ins must not exhaust memory and cores. One core is left for other
// work.
const inTurn = createTurns({ maxConcurrent: Math.max(1, availableParallelism() - 1), maxQueued: 100 })

/** Returns an argon2id hash of the normalized password. Throws `busy` when too many calls are queued. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(cutPassword(password), cost))
}

let dummy: Promise<string> | undefined

/**
 * Returns true when the password matches the hash. Without a hash it does the same work and returns false, so that
 * timing does not reveal whether a name exists.
 */
export async function verifyPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  dummy ??= hash('no such member', cost)
  const against = passwordHash ?? (await dummy)
  const matches = await inTurn(() => verify(against, cutPassword(password)))
  return matches && passwordHash !== undefined
}

let common: Set<string> | undefined

/** Returns the passwords that many people have. Loaded with the first new password: they need several megabytes. */
function commonPasswords(): Set<string> {
  if (common) return common
  const { dictionary }: typeof Language = createRequire(import.meta.url)('@zxcvbn-ts/language-common')
  common = new Set(dictionary['passwords-common'].map(String))
  return common
}

export interface Owner {
  partnerNumber?: string | undefined
  /** Words that people who know the member would try: names, the local part of the email, the program. */
  personal?: readonly string[]
}

/**
 * Returns copy keys of the problems of a new password; none when it is acceptable. Checks length and guessability (NIST
 * SP 800-63B-4), not the kinds of characters.
 */
export function passwordProblems(password: string, { partnerNumber, personal = [] }: Owner = {}): string[] {
  const text = cutPassword(password)
  const lower = text.toLowerCase()
  const problems: string[] = []
  if ([...text].length < passwordFloor) problems.push('validation.password_rules')
  else if (commonPasswords().has(lower) || isMonotonous(lower)) problems.push('validation.password_common')
  else if (personal.some((word) => isMostly(lower, word))) problems.push('validation.password_personal')
  if (partnerNumber && lower.includes(partnerNumber.toLowerCase())) {
    problems.push('validation.password_partner_number')
  }
  return problems
}

// `aaaaaaaa`, `abcabcabc`
function isMonotonous(text: string): boolean {
  return new Set(text).size <= 3
}

// `lovelace1` of a Lovelace: without the word, too little is left to guess.
function isMostly(text: string, word: string): boolean {
  const plain = word.trim().toLowerCase()
  if (plain.length < 4) return false
  return text.includes(plain) && text.replaceAll(plain, '').length < 4
}
