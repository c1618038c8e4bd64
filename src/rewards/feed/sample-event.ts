import { randomUUID } from 'node:crypto'
import type { FeedEvent } from './contract.ts'

export interface SampleEvent {
  event: 'auth' | 'clearing' | 'refund'
  partnerId: string
  /** Dollars as decimal text. A refund's sign is set here. */
  amount: string
  card: { token: string; lastFour: string; scheme: string }
  location: { id: string; merchantName: string }
  /** The network's id of the transaction; defaults to a new one. */
  transactionId?: string | undefined
  dinedAt: Date
  now: Date
}

/** Returns an event as the card network would send it. A refund has an id of its own and names the purchase. */
export function sampleEvent(options: SampleEvent): FeedEvent {
  const purchaseId = options.transactionId ?? randomUUID()
  const refund = options.event === 'refund'
  return {
    event: `transaction.${options.event}`,
    transaction: {
      id: refund ? randomUUID() : purchaseId,
      programId: options.partnerId,
      amount: refund ? `-${options.amount}` : options.amount,
      currency: 'USD',
      datetime: options.dinedAt.toISOString(),
      created: options.dinedAt.toISOString(),
      updated: options.now.toISOString(),
      auth: true,
      cleared: options.event !== 'auth',
      cardPresent: true,
      merchantCategoryCode: '5812',
      ...(refund && { originalTransactionId: purchaseId }),
      card: { id: options.card.token, scheme: options.card.scheme, lastNumbers: options.card.lastFour },
      brand: { name: options.location.merchantName },
      location: { id: options.location.id },
      identifiers: {},
    },
  }
}
