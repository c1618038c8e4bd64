import { hash, verify } from '@node-rs/argon2'
import { dictionary } from '@zxcvbn-ts/language-common'
import { Refusal } from '../kit/refusal.ts'
import { cutPassword, passwordFloor } from './rules.ts'

// OWASP's minimum for argon2id: 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const mostAtOnce = 2
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

/** Copy keys of what is wrong with a new password; none when it may be used. */
export function passwordProblems(password: string, partnerNumber?: string): string[] {
  const text = cutPassword(password)
  const problems: string[] = []
  if ([...text].length < passwordFloor || !/\p{L}/u.test(text) || !/\p{N}/u.test(text)) {
    problems.push('validation.password_rules')
  }
  if (common.has(text.toLowerCase())) problems.push('validation.password_common')
  if (partnerNumber && text.toLowerCase().includes(partnerNumber.toLowerCase())) {
    problems.push('validation.password_partner_number')
  }
  return problems
}
