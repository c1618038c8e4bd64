import type { Ctx } from '../../platform/http/context.ts'

export interface CreditOrder {
  /** Identifies the order permanently: the same credit is never paid twice. */
  creditId: string
  amountCents: number
  /** A card brand, the brand of a payout provider, or XXXX. */
  brand: string
  delivery: 'Card' | 'Email'
  /** The member's name of the card; empty without a card. */
  targetLabel: string
}

/** What a processor definitely says about an order. `rejected` is final: this order is not paid and never will be. */
export type SubmitAnswer = { outcome: 'accepted' } | { outcome: 'completed' } | { outcome: 'rejected'; reason: string }

/** `notReceived`: the processor has no such order, so that it may be submitted, under the same id. */
export type CheckAnswer = SubmitAnswer | { outcome: 'notReceived' }

/**
 * Executes statement credits. Calls may be repeated at any time: an order is identified by its credit, and one with
 * another amount is refused. Whatever is not a definite answer rejects: the outcome is unknown then. The message of the
 * error is shown to operators and contains no personal data.
 */
export interface CreditProcessor {
  name: string
  /** Submits an order. */
  submit(ctx: Ctx, order: CreditOrder): Promise<SubmitAnswer>
  /** Asks for the outcome of an order, and changes nothing. */
  check(ctx: Ctx, order: CreditOrder): Promise<CheckAnswer>
  /** Milliseconds between two checks of an order. */
  checkEvery: number
}
