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
export function sampleEvent(wish: SampleEvent): FeedEvent {
  const meal = wish.transactionId ?? randomUUID()
  const refund = wish.event === 'refund'
  return {
    event: `transaction.${wish.event}`,
    transaction: {
      id: refund ? randomUUID() : meal,
      programId: wish.partnerId,
      amount: refund ? `-${wish.amount}` : wish.amount,
      currency: 'USD',
      datetime: wish.dinedAt.toISOString(),
      created: wish.dinedAt.toISOString(),
      updated: wish.now.toISOString(),
      auth: true,
      cleared: wish.event !== 'auth',
      cardPresent: true,
      merchantCategoryCode: '5812',
      ...(refund && { originalTransactionId: meal }),
      card: { id: wish.card.token, scheme: wish.card.scheme, lastNumbers: wish.card.lastFour },
      brand: { name: wish.location.merchantName },
      location: { id: wish.location.id },
      identifiers: {},
    },
  }
}
