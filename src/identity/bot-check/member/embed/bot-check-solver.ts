import type { SendWrite } from '../../../../platform/browser/write-api.ts'

/** Proves without interaction that the visitor is a person. Rejects with an Error whose message is a copy key. */
export interface BotCheckSolver {
  getToken(send: SendWrite): Promise<string>
  /** Called after the form failed: the proof is used up. */
  reset(): void
}
