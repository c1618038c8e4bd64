import type { Ctx } from '../../platform/http/context.ts'
import type { RedemptionStatus } from './contract.ts'

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

/** Executes statement credits. Calls may be repeated at any time: an order is identified by its credit. */
export interface CreditProcessor {
  name: string
  /** Submits an order and returns its status; throws when there was no response, and is retried later. */
  submit(ctx: Ctx, order: CreditOrder): Promise<RedemptionStatus>
  /** Returns the status of a submitted order. */
  check(ctx: Ctx, order: CreditOrder): Promise<RedemptionStatus>
  /** Milliseconds between two checks of an order. */
  checkEvery: number
}
