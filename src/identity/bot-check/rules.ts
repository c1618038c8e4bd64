import { MINUTE } from '../../platform/time.ts'

/** Failed attempts count for this long. */
export const failuresWindow = 30 * MINUTE
/** Failed attempts of a browser session after which each attempt needs a proof. */
export const freeFailuresOfSession = 1
/** The same for all sessions of one network address together. */
export const freeFailuresOfAddress = 10
/** Lifetime of a challenge, and of a token. */
export const challengeTtlMs = 5 * MINUTE
/** How long a form waits for the response to a challenge. */
export const solveTimeoutMs = 2 * MINUTE
/** Milliseconds between checks for the script of another check. */
export const pollIntervalMs = 500
/** Network errors after which a page stops trying to load it. */
export const maxNetworkErrors = 10

/** The number of an attempt, in its session and at its network address, among failed attempts and those in progress. */
export interface Tries {
  ofSession: number
  ofAddress: number
}

/** Returns true when an attempt needs a proof. */
export function needsBotCheck({ ofSession, ofAddress }: Tries): boolean {
  return ofSession > freeFailuresOfSession || ofAddress > freeFailuresOfAddress
}
