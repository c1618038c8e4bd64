import { MINUTE } from '../kit/time.ts'

/** Failed tries are remembered this long. */
export const failuresWindow = 30 * MINUTE
/** After so many failed tries a browser session shows with each that a person sits there. */
export const freeFailuresOfSession = 1
/** The same for all sessions of one network address together. */
export const freeFailuresOfAddress = 10
/** A challenge is solved, and a token used, within this. */
export const challengeLength = 5 * MINUTE
/** How long a form waits for somebody to answer a question of the check. */
export const answerWithin = 2 * MINUTE
/** How often a page looks whether the script of another check is there, in milliseconds. */
export const pollEvery = 500
/** After so many network errors a page no longer tries to load it. */
export const mostNetworkErrors = 10

export interface Tries {
  ofSession: number
  ofAddress: number
}

/** Whether the next try has to bring a proof. */
export function needsProof({ ofSession, ofAddress }: Tries): boolean {
  return ofSession >= freeFailuresOfSession || ofAddress >= freeFailuresOfAddress
}
