import { toLegibleLine } from '../../platform/legible-text.ts'
import { type Cents, centsFromDecimal } from '../../platform/money.ts'
import type { FeedEvent } from './contract.ts'

/** The content of one message in our terms. */
export interface FeedMessage {
  event: 'auth' | 'clearing' | 'refund'
  id: string
  /** The transaction that this one refunds or completes, as the message states. */
  originalId: string | null
  /** Any other transaction it names; the network's documentation is inconsistent about the direction. */
  relatedId: string | null
  cents: Cents
  /** Null when the network does not report it. */
  tipCents: Cents | null
  taxCents: Cents | null
  pinDebit: boolean
  currency: string
  /** Of the card's issuer, in capitals; null when the network does not report it. */
  authCode: string | null
  datetime: string
  /** Milliseconds since 1970; of two messages about the same transaction the later one applies. */
  updatedAt: number
  cardToken: string
  lastFour: string
  locationId: string
  merchantName: string
}

/** Returns the parsed message; null for a `.qualified` one, which is about the network's own offers. */
export function toFeedMessage({ event, transaction: t }: FeedEvent): FeedMessage | null {
  if (event.endsWith('.qualified')) return null
  const other = (id: string | null | undefined) => (id && id !== t.id ? id : null)
  const part = (amount: number | string | null | undefined) => (amount == null ? null : centsFromDecimal(amount))
  return {
    event: event.slice('transaction.'.length) as FeedMessage['event'],
    id: t.id,
    originalId: other(t.originalTransactionId),
    relatedId: other(t.originalTransactionId) ?? other(t.refundTransactionId),
    cents: centsFromDecimal(t.amount),
    tipCents: part(t.tipAmount),
    taxCents: part(t.taxAmount),
    pinDebit: t.verification === 'pin' && t.card.funding !== 'credit',
    currency: t.currency,
    authCode: inCapitals(t.authCode?.trim() ?? '') || null,
    datetime: t.datetime,
    updatedAt: momentOf(t.updated),
    cardToken: t.card.id,
    lastFour: t.card.lastNumbers,
    locationId: t.location.id,
    merchantName: toLegibleLine(t.brand?.name ?? ''),
  }
}

/** Returns a code as it is compared: files and messages write the letters of one differently. */
const inCapitals = (code: string) => code.replace(/[a-z]+/g, (letters) => letters.toUpperCase())

/** Messages are identical when event, id and update time are. */
export function messageIdOf(message: FeedEvent): string {
  return `${message.event}:${message.transaction.id}:${updatedAt(message)}`
}

/** Returns when the network last updated the transaction, in milliseconds. */
export function updatedAt({ transaction }: FeedEvent): number {
  return momentOf(transaction.updated)
}

function momentOf(text: string): number {
  return Date.parse(/(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`)
}

/** Returns whether a message by itself is a refund. */
export function isRefundMessage({ event, cents }: Pick<FeedMessage, 'event' | 'cents'>): boolean {
  return event === 'refund' || (event === 'clearing' && cents < 0)
}

/** Returns the latest message of an event; null when there is none. */
export function latestOf(messages: readonly FeedMessage[], event: FeedMessage['event']): FeedMessage | null {
  const of = messages.filter((message) => message.event === event)
  return of.length > 0 ? latest(of) : null
}

/** Returns the message that applies: the latest, and always the same one of messages with equal times. */
export function latest(messages: readonly FeedMessage[]): FeedMessage {
  return messages.reduce((a, b) => (compareMessages(b, a) > 0 ? b : a))
}

/** Orders messages by their time of update; those of equal times in an order that depends on their contents only. */
export function compareMessages(a: FeedMessage, b: FeedMessage): number {
  return (
    a.updatedAt - b.updatedAt ||
    Number(a.event === 'refund') - Number(b.event === 'refund') ||
    Math.abs(a.cents) - Math.abs(b.cents) ||
    (orderText(a) < orderText(b) ? -1 : 1)
  )
}

// Of two messages that differ only in their contents, always the same one applies.
function orderText(message: FeedMessage): string {
  return JSON.stringify(message)
}

/** Returns the authorization code of messages about one transaction: the latest that any of them has. */
export function authCodeOf(messages: readonly FeedMessage[]): string | null {
  const withCode = messages.filter(({ authCode }) => authCode !== null)
  return withCode.length === 0 ? null : latest(withCode).authCode
}
