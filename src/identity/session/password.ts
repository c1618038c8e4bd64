import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import type * as Language from '@zxcvbn-ts/language-common'
import { ApiError } from '../../platform/errors.ts'
import { networksOf } from '../../platform/http/network.ts'
import { cutPassword, hasPasswordLength, isMonotonous, normalizePassword } from './rules.ts'

// OWASP's minimum for argon2id: 19 MiB, two passes, one thread.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Returns a function that runs work for the network of an address: `maxConcurrent` at a time. Networks take turns, each in
 * the order of its calls. It throws `busy` when `maxQueued` are waiting: to the network with the most, its newest call.
 */
export function createTurns({ maxConcurrent, maxQueued }: { maxConcurrent: number; maxQueued: number }) {
  let working = 0
  let queued = 0
  const waiting = new Map<string, PromiseWithResolvers<void>[]>()

  function makeRoom(network: string): void {
    if (queued < maxQueued) return
    let largest = waiting.get(network) ?? []
    for (const own of waiting.values()) if (own.length > largest.length) largest = own
    // A network with as many after this call loses none.
    if (largest.length <= (waiting.get(network)?.length ?? 0) + 1) throw new ApiError('busy')
    largest.pop()?.reject(new ApiError('busy'))
    queued--
  }

  function wait(network: string): Promise<void> {
    makeRoom(network)
    const own = waiting.get(network) ?? []
    const turn = Promise.withResolvers<void>()
    own.push(turn)
    waiting.set(network, own)
    queued++
    return turn.promise
  }

  function passOn(): void {
    const [next] = waiting
    if (!next) {
      working--
      return
    }
    const [network, own] = next
    queued--
    own.shift()?.resolve()
    // The network moves to the end.
    waiting.delete(network)
    if (own.length > 0) waiting.set(network, own)
  }

  return async function inTurn<T>(address: string, work: () => Promise<T>): Promise<T> {
    if (working < maxConcurrent) working++
    else await wait(networkOf(address))
    try {
      return await work()
    } finally {
      // The turn passes to the next one directly: a call at this moment must not take it.
      passOn()
    }
  }
}

/** Commands have no address. */
const networkOf = (address: string) => (address === '' ? '' : networksOf(address)[0].network)

// Hashing is deliberately expensive: a flood of sign-ins must not exhaust memory and cores. One core is left for other
// work.
const inTurn = createTurns({ maxConcurrent: Math.max(1, availableParallelism() - 1), maxQueued: 100 })

/**
 * Returns an argon2id hash of the normalized password. Throws `busy` when too many calls are queued. `address` is that of
 * the client, which takes turns with those of other networks.
 */
export function hashPassword(password: string, address = ''): Promise<string> {
  return inTurn(address, () => hash(normalizePassword(password), cost))
}

let dummy: Promise<string> | undefined

export interface PasswordCheck {
  /** The client's address, which takes turns with those of other networks. */
  address?: string
  /** The stored password may have been cut after 56 characters when it was chosen: what follows in a longer one is ignored. */
  mayBeCut?: boolean
  /** Runs when it is the turn of this check, before it: counts the attempt. When it throws, nothing is checked. */
  begin?: () => Promise<void>
}

/**
 * Returns true when the password matches the hash. Without a hash it does the same work and returns false, so that
 * timing does not reveal whether a name exists. Throws `busy` when too many calls are queued.
 */
export async function verifyPassword(
  password: string,
  passwordHash: string | undefined,
  { address = '', mayBeCut = false, begin }: PasswordCheck = {},
): Promise<boolean> {
  dummy ??= hash('no such member', cost)
  const against = passwordHash ?? (await dummy)
  const matches = await inTurn(address, async () => {
    await begin?.()
    return verify(against, mayBeCut ? cutPassword(password) : normalizePassword(password))
  })
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
  /** What people who know the member would try: names, the email address, the program. */
  personal?: readonly string[]
}

/**
 * Returns copy keys of the problems of a new password; none when it is acceptable. Checks length and guessability (NIST
 * SP 800-63B-4), not the kinds of characters.
 */
export function passwordProblems(password: string, { partnerNumber, personal = [] }: Owner = {}): string[] {
  const text = normalizePassword(password)
  const lower = text.toLowerCase()
  const problems: string[] = []
  if (!hasPasswordLength(text)) problems.push('validation.password_rules')
  else if (commonPasswords().has(lower) || isMonotonous(lower)) problems.push('validation.password_common')
  else if (consistsOf(plain(text), personal.flatMap(wordsOf))) problems.push('validation.password_personal')
  if (partnerNumber && lower.includes(partnerNumber.toLowerCase())) {
    problems.push('validation.password_partner_number')
  }
  return problems
}

/** Returns a text in small letters without accents. */
const plain = (text: string) => normalizePassword(text).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Returns the words of a name or address, and all of them together: `Anne-Lee` is `anne`, `lee` and `annelee`. */
function wordsOf(text: string): string[] {
  const words = plain(text).match(/[\p{L}\p{N}]+/gu) ?? []
  return [...words, words.join('')].filter(({ length }) => length > 1)
}

/** A letter that none of the words explains counts as one to guess; eight digits or signs, such as a date, as less than four. */
const unexplained = 4
const costOf = (character: string) => (/\p{L}/u.test(character) ? 1 : 0.45)

/** Returns whether a password is made of known words, so that too little is left to guess: `robinquill`, `AnnLee12`. */
function consistsOf(text: string, words: readonly string[]): boolean {
  // The least that is left of the text up to each place.
  const least = [0]
  let all = 0
  for (let end = 1; end <= text.length; end++) {
    const cost = costOf(text.charAt(end - 1))
    all += cost
    const before = words
      .filter((word) => text.endsWith(word, end))
      .map((word) => least[end - word.length] ?? Number.POSITIVE_INFINITY)
    least[end] = Math.min((least[end - 1] ?? 0) + cost, ...before)
  }
  const left = least.at(-1) ?? 0
  return left < unexplained && left < all
}
