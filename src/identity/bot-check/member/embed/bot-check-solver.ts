import type { SendWrite } from '../../../../platform/browser/write-api.ts'

/** A check that failed by itself; its message is a copy key. */
export class BotCheckError extends Error {}

/** Proves without interaction that the visitor is a person. Rejects with a BotCheckError, or the error of a request. */
export interface BotCheckSolver {
  getToken(send: SendWrite): Promise<string>
  /** Called after the form failed: the proof is used up. */
  reset(): void
}
