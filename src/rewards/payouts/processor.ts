import type { Ctx } from '../../kit/server/context.ts'
import type { RedemptionStatus } from '../contract.ts'

export interface CreditOrder {
  /** Names the order for good: the same credit is never paid twice. */
  creditId: string
  amountCents: number
  /** A card brand, the brand of a payout provider, or XXXX. */
  brand: string
  delivery: 'Card' | 'Email'
  /** How the member knows the card; empty without one. */
  targetLabel: string
}

/** Who carries statement credits out. Calls may be repeated at any time: an order is known by its credit. */
export interface CreditProcessor {
  name: string
  /** Hands an order over. Answers how it stands; throws when nobody answered, and is asked again later. */
  submit(ctx: Ctx, order: CreditOrder): Promise<RedemptionStatus>
  /** How an order stands that was taken in. */
  check(ctx: Ctx, order: CreditOrder): Promise<RedemptionStatus>
  /** So long to wait between two looks at an order, in milliseconds. */
  checkEvery: number
}
