import { toLegibleLine } from '../../platform/legible-text.ts'
import { type Cents, centsFromDecimal } from '../../platform/money.ts'
import { DAY } from '../../platform/time.ts'
import type { FeedTransaction } from '../awards/match.ts'
import type { FeedEvent } from './contract.ts'
import { groupConnected } from './group-connected.ts'

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
  /** Of the card's issuer; null when the network does not report it. */
  authCode: string | null
  datetime: string
  /** Milliseconds since 1970; of two messages about the same transaction the later one applies. */
  updatedAt: number
  cardToken: string
  lastFour: string
  locationId: string
  merchantName: string
}

/** The messages of one transaction: those of the purchase, and the latest message of each refund. */
interface TransactionMessages {
  purchaseMessages: FeedMessage[]
  refunds: FeedMessage[]
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
    authCode: t.authCode?.trim() || null,
    datetime: t.datetime,
    updatedAt: momentOf(t.updated),
    cardToken: t.card.id,
    lastFour: t.card.lastNumbers,
    locationId: t.location.id,
    merchantName: toLegibleLine(t.brand?.name ?? ''),
  }
}

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

/** Returns the key of card and location, by which a refund that names no purchase is matched. */
export function visitKey({ cardToken, locationId }: Pick<FeedMessage, 'cardToken' | 'locationId'>): string {
  return `${cardToken} ${locationId}`
}

/**
 * Returns the transactions of a set of messages. A function of the set: neither order nor repetition matters. Refunds
 * without their purchase yield no transaction; they count as soon as the purchase arrives.
 */
export function foldMessages(messages: readonly FeedMessage[]): FeedTransaction[] {
  return [...groupByTransaction(messages)].map(([networkId, { purchaseMessages, refunds }]) =>
    foldTransaction(networkId, purchaseMessages, refunds),
  )
}

/** Groups messages by transaction. */
export function groupByTransaction(messages: readonly FeedMessage[]): Map<string, TransactionMessages> {
  const transactions = new Map<string, TransactionMessages>()
  const unlinkedRefunds: FeedMessage[] = []
  for (const related of groupConnected(messages, (message) => [
    message.id,
    ...(message.relatedId === null ? [] : [message.relatedId]),
  ])) {
    const group = transactionsOfGroup(related)
    for (const [id, transactionMessages] of group.transactions) transactions.set(id, transactionMessages)
    unlinkedRefunds.push(...group.unlinkedRefunds)
  }
  assignUnlinkedRefunds(unlinkedRefunds, transactions)
  return transactions
}

/** Returns the transactions of messages that name each other, and the refunds that name none of them. */
function transactionsOfGroup(messages: readonly FeedMessage[]): {
  transactions: Map<string, TransactionMessages>
  unlinkedRefunds: FeedMessage[]
} {
  const refunding = new Set(messages.filter((f) => f.event === 'refund').map((f) => f.id))
  const refunds = messages.filter((f) => isRefund(f, refunding))
  const purchases = messages.filter((f) => f.cents >= 0 && f.event !== 'refund' && !isRefund(f, refunding))
  const byTransaction = Map.groupBy(purchases, (f) => f.originalId ?? f.id)
  const transactions = new Map(
    [...byTransaction].map(([id, purchaseMessages]): [string, TransactionMessages] => [
      id,
      { purchaseMessages, refunds: [] },
    ]),
  )
  const unlinkedRefunds: FeedMessage[] = []
  for (const [refundId, refundMessages] of Map.groupBy(refunds, (f) => f.id)) {
    const transactionId = refundedTransactionId(refundId, refundMessages, byTransaction)
    if (transactionId !== undefined) transactions.get(transactionId)?.refunds.push(latest(refundMessages))
    else if (refundMessages.every((message) => message.relatedId === null)) unlinkedRefunds.push(latest(refundMessages))
  }
  return { transactions, unlinkedRefunds }
}

// A refund is sent as a refund and as a clearing below zero, and the clearing of a linked refund may lack its sign.
function isRefund(message: FeedMessage, refunding: ReadonlySet<string>): boolean {
  if (isRefundMessage(message)) return true
  return message.event === 'clearing' && message.originalId !== null && refunding.has(message.id)
}

/** A refund may name its purchase in one message only, so the names in all its messages apply. */
function refundedTransactionId(
  refundId: string,
  refundMessages: FeedMessage[],
  transactions: ReadonlyMap<string, FeedMessage[]>,
): string | undefined {
  const ids = [...transactions.keys()].toSorted()
  const namedBy = ids.find((id) => transactions.get(id)?.some((message) => message.relatedId === refundId))
  const named = [
    ...refundMessages.toSorted(compare).flatMap((f) => [f.originalId, f.relatedId]),
    namedBy,
    refundId,
    ...ids,
  ]
  return named.find((id): id is string => id != null && transactions.has(id))
}

/** How old the purchase of a refund that names none may be. */
const maxRefundAgeMs = 180 * DAY

/** Assigns refunds without a purchase to the last earlier one of the same card and location that covers them. */
function assignUnlinkedRefunds(
  unlinkedRefunds: readonly FeedMessage[],
  transactions: ReadonlyMap<string, TransactionMessages>,
): void {
  if (unlinkedRefunds.length === 0) return
  const byVisit = Map.groupBy(transactions, ([id, { purchaseMessages, refunds }]) =>
    visitKey(foldTransaction(id, purchaseMessages, refunds)),
  )
  for (const refund of unlinkedRefunds.toSorted(
    (a, b) => momentOf(a.datetime) - momentOf(b.datetime) || compare(a, b),
  )) {
    const at = momentOf(refund.datetime)
    const [purchase] = (byVisit.get(visitKey(refund)) ?? [])
      .map(([id, { purchaseMessages, refunds }]) => ({
        id,
        refunds,
        transaction: foldTransaction(id, purchaseMessages, refunds),
      }))
      .filter(
        ({ transaction }) =>
          momentOf(transaction.datetime) <= at && at - momentOf(transaction.datetime) <= maxRefundAgeMs,
      )
      .filter(({ transaction }) => amountOf(transaction) - transaction.refundedCents >= Math.abs(refund.cents))
      .toSorted((a, b) => momentOf(b.transaction.datetime) - momentOf(a.transaction.datetime) || (a.id < b.id ? -1 : 1))
    purchase?.refunds.push(refund)
  }
}

const amountOf = ({ clearedAt, clearedCents, ticketCents }: FeedTransaction) =>
  clearedAt === null ? ticketCents : clearedCents

function foldTransaction(networkId: string, purchaseMessages: FeedMessage[], refunds: FeedMessage[]): FeedTransaction {
  const auth = latestOf(purchaseMessages, 'auth')
  const clearing = latestOf(purchaseMessages, 'clearing')
  const settled = clearing ?? (auth as FeedMessage)
  const refundedCents = refunds.reduce((sum, f) => sum + Math.abs(f.cents), 0)
  const refunded = refundedCents > 0 && refundedCents >= settled.cents
  return {
    networkId,
    messageNetworkIds: [...new Set([...purchaseMessages, ...refunds].map(({ id }) => id))].toSorted(),
    stage: refunded ? 'refunded' : clearing ? 'cleared' : 'authorized',
    ticketCents: (auth ?? settled).cents,
    clearedCents: clearing?.cents ?? 0,
    // The increase from authorization to clearing is the tip.
    tipCents: settled.tipCents ?? (auth && clearing ? Math.max(0, clearing.cents - auth.cents) : 0),
    taxCents: settled.taxCents ?? auth?.taxCents ?? 0,
    refundedCents,
    pinDebit: purchaseMessages.some((message) => message.pinDebit),
    currency: settled.currency,
    authCode: auth?.authCode ?? clearing?.authCode ?? null,
    datetime: (auth ?? settled).datetime,
    clearedAt: clearing?.updatedAt ?? null,
    cardToken: settled.cardToken,
    lastFour: settled.lastFour,
    locationId: settled.locationId,
    merchantName: settled.merchantName,
  }
}

function latestOf(messages: readonly FeedMessage[], event: FeedMessage['event']): FeedMessage | null {
  const of = messages.filter((message) => message.event === event)
  return of.length > 0 ? latest(of) : null
}

/** Returns the message that applies: the latest, and always the same one of messages with equal times. */
function latest(messages: readonly FeedMessage[]): FeedMessage {
  return messages.reduce((a, b) => (compare(b, a) > 0 ? b : a))
}

function compare(a: FeedMessage, b: FeedMessage): number {
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
