import type { Cents } from '../../platform/money.ts'

/** One transaction, folded from all its messages. */
export interface FeedTransaction {
  networkId: string
  stage: 'authorized' | 'cleared' | 'refunded'
  ticketCents: Cents
  /** The final charge; 0 until then. */
  clearedCents: Cents
  tipCents: Cents
  taxCents: Cents
  refundedCents: Cents
  pinDebit: boolean
  currency: string
  datetime: string
  clearedAt: number | null
  cardToken: string
  lastFour: string
  locationId: string
  merchantName: string
}
