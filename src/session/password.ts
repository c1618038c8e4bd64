import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { dictionary } from '@zxcvbn-ts/language-common'
import { Refusal } from '../kit/refusal.ts'
import { cutPassword, passwordFloor } from './rules.ts'

// OWASP's minimum for argon2id: 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
// One core is left to everybody else.
const mostAtOnce = Math.max(1, availableParallelism() - 1)
const mostWaiting = 100

let working = 0
const waiting: Array<() => void> = []

// Hashing is dear on purpose: a flood of sign-ins must not take the memory and the cores of everyone else.
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (working >= mostAtOnce) {
    if (waiting.length >= mostWaiting) throw new Refusal('busy')
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  working++
  try {
    return await work()
  } finally {
    working--
    waiting.shift()?.()
  }
}

/** An argon2id hash of the password as it is compared. Throws Refusal `busy` when too many wait. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(cutPassword(password), cost))
}

let dummy: Promise<string> | undefined

/**
 * Whether the password belongs to the hash. Without a hash it spends the same work and answers false,
 * so that a name that does not exist takes as long as one that does.
 */
export async function verifyPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  dummy ??= hash('no such member', cost)
  const against = passwordHash ?? (await dummy)
  const matches = await inTurn(() => verify(against, cutPassword(password)))
  return matches && passwordHash !== undefined
}

const common = new Set<string>(dictionary['passwords-common'].map(String))

export interface Owner {
  partnerNumber?: string | undefined
  /** Words that anybody who knows the member would try: names, the address before the @, the program. */
  personal?: readonly string[]
}

/**
 * Copy keys of what is wrong with a new password; none when it may be used. Length and what is easily guessed decide
 * (NIST SP 800-63B-4); which kinds of characters it is made of does not.
 */
export function passwordProblems(password: string, { partnerNumber, personal = [] }: Owner = {}): string[] {
  const text = cutPassword(password)
  const lower = text.toLowerCase()
  const problems: string[] = []
  if ([...text].length < passwordFloor) problems.push('validation.password_rules')
  else if (common.has(lower) || isMonotonous(lower)) problems.push('validation.password_common')
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

// `lovelace1` of a Lovelace: with the word taken out, too little is left to guess.
function isMostly(text: string, word: string): boolean {
  const plain = word.trim().toLowerCase()
  if (plain.length < 4) return false
  return text.includes(plain) && text.replaceAll(plain, '').length < 4
}
