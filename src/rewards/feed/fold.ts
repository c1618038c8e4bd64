import { type Cents, centsFromDecimal } from '../../kit/money.ts'
import type { FeedEvent } from './contract.ts'

/** What one message says, in our terms. */
export interface FeedFact {
  event: 'auth' | 'clearing' | 'refund'
  id: string
  /** The transaction that this one says it refunds or completes. */
  originalId: string | null
  /** Any other transaction it names; the network's documentation is of two minds about the direction. */
  relatedId: string | null
  cents: Cents
  currency: string
  datetime: string
  /** Milliseconds since 1970; of two messages about the same thing the later one holds. */
  updatedAt: number
  cardToken: string
  lastFour: string
  locationId: string
  merchantName: string
}

/** One meal as all its messages together tell it. */
export interface Meal {
  networkId: string
  stage: 'authorized' | 'cleared' | 'refunded'
  ticketCents: Cents
  /** What was finally charged; 0 until then. */
  dineCents: Cents
  refundedCents: Cents
  currency: string
  datetime: string
  clearedAt: number | null
  cardToken: string
  lastFour: string
  locationId: string
  merchantName: string
}

/** The facts of a message; null for a `.qualified` one, which tells of the network's own offers. */
export function factOf({ event, transaction: t }: FeedEvent): FeedFact | null {
  if (event.endsWith('.qualified')) return null
  const other = (id: string | null | undefined) => (id && id !== t.id ? id : null)
  return {
    event: event.slice('transaction.'.length) as FeedFact['event'],
    id: t.id,
    originalId: other(t.originalTransactionId),
    relatedId: other(t.originalTransactionId) ?? other(t.refundTransactionId),
    cents: centsFromDecimal(t.amount),
    currency: t.currency,
    datetime: t.datetime,
    updatedAt: updatedAtOf(t.updated),
    cardToken: t.card.id,
    lastFour: t.card.lastNumbers,
    locationId: t.location.id,
    merchantName: t.brand?.name ?? '',
  }
}

/** A message is the same as another when event, id and update time are. */
export function messageIdOf({ event, transaction }: FeedEvent): string {
  return `${event}:${transaction.id}:${new Date(updatedAtOf(transaction.updated)).toISOString()}`
}

function updatedAtOf(updated: string): number {
  return Date.parse(/(Z|[+-]\d\d:?\d\d)$/i.test(updated) ? updated : `${updated}Z`)
}

/**
 * The meals that a set of related messages tells of. A function of the set: neither order nor repetition matters.
 * Refunds without their purchase make no meal; they count as soon as the purchase is there.
 */
export function foldMeals(facts: readonly FeedFact[]): Meal[] {
  return [...factsByMeal(facts)].map(([networkId, { told, refunds }]) => mealOf(networkId, told, refunds))
}

/** Which messages tell of which meal: those of the purchase, and the last word on each of its refunds. */
export function factsByMeal(facts: readonly FeedFact[]): Map<string, { told: FeedFact[]; refunds: FeedFact[] }> {
  const refunding = new Set(facts.filter((f) => f.event === 'refund').map((f) => f.id))
  const refunds = facts.filter((f) => isRefund(f, refunding))
  const purchases = facts.filter((f) => f.cents >= 0 && f.event !== 'refund' && !isRefund(f, refunding))
  const byMeal = Map.groupBy(purchases, (f) => f.originalId ?? f.id)
  const refundsOf = assignRefunds(refunds, byMeal)
  return new Map([...byMeal].map(([id, told]) => [id, { told, refunds: refundsOf.get(id) ?? [] }]))
}

// A refund comes as a refund and as a clearing below zero, and the clearing of a linked refund may lack its sign.
function isRefund(fact: FeedFact, refunding: ReadonlySet<string>): boolean {
  if (fact.event === 'refund') return true
  if (fact.event === 'auth') return false
  return fact.cents < 0 || (fact.originalId !== null && refunding.has(fact.id))
}

function assignRefunds(refunds: FeedFact[], meals: ReadonlyMap<string, FeedFact[]>): Map<string, FeedFact[]> {
  const ids = [...meals.keys()].toSorted()
  const namedBy = new Map<string, string>()
  for (const mealId of ids) {
    for (const { relatedId } of meals.get(mealId) ?? []) if (relatedId) namedBy.set(relatedId, mealId)
  }
  // A refund may say what it belongs to in one message only: what any of its messages says counts for all.
  const byRefund = Map.groupBy(refunds, (f) => f.id)
  const assigned = new Map<string, FeedFact[]>()
  for (const [refundId, told] of byRefund) {
    const named = [
      ...told.toSorted(compare).flatMap((f) => [f.originalId, f.relatedId]),
      namedBy.get(refundId),
      refundId,
      ...ids,
    ]
    const mealId = named.find((id) => id && meals.has(id))
    if (mealId) assigned.set(mealId, [...(assigned.get(mealId) ?? []), latest(told)])
  }
  return assigned
}

function mealOf(networkId: string, told: FeedFact[], refunds: FeedFact[]): Meal {
  const auths = told.filter((f) => f.event === 'auth')
  const clearings = told.filter((f) => f.event === 'clearing')
  const auth = auths.length > 0 ? latest(auths) : null
  const clearing = clearings.length > 0 ? latest(clearings) : null
  const settled = clearing ?? (auth as FeedFact)
  const refundedCents = refunds.reduce((sum, f) => sum + Math.abs(f.cents), 0)
  const refunded = refundedCents > 0 && refundedCents >= settled.cents
  return {
    networkId,
    stage: refunded ? 'refunded' : clearing ? 'cleared' : 'authorized',
    ticketCents: (auth ?? settled).cents,
    dineCents: clearing?.cents ?? 0,
    refundedCents,
    currency: settled.currency,
    datetime: (auth ?? settled).datetime,
    clearedAt: clearing?.updatedAt ?? null,
    cardToken: settled.cardToken,
    lastFour: settled.lastFour,
    locationId: settled.locationId,
    merchantName: settled.merchantName,
  }
}

/** The one that holds: the last told, and of messages of one moment always the same one. */
function latest(facts: readonly FeedFact[]): FeedFact {
  return facts.reduce((a, b) => (compare(b, a) > 0 ? b : a))
}

function compare(a: FeedFact, b: FeedFact): number {
  return (
    a.updatedAt - b.updatedAt ||
    Number(a.event === 'refund') - Number(b.event === 'refund') ||
    Math.abs(a.cents) - Math.abs(b.cents) ||
    (a.id + a.datetime < b.id + b.datetime ? -1 : 1)
  )
}
