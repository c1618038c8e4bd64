import { type Cents, centsFromDecimal } from '../../platform/money.ts'
import { DAY } from '../../platform/time.ts'
import type { Meal } from '../awards/meal.ts'
import type { FeedEvent } from './contract.ts'
import { groupBy } from './group.ts'

/** The content of one message in our terms. */
export interface FeedFact {
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
  datetime: string
  /** Milliseconds since 1970; of two messages about the same transaction the later one applies. */
  updatedAt: number
  cardToken: string
  lastFour: string
  locationId: string
  merchantName: string
}

/** The messages of one transaction: those of the purchase, and the latest message of each refund. */
export interface Told {
  told: FeedFact[]
  refunds: FeedFact[]
}

/** Returns the facts of a message; null for a `.qualified` one, which is about the network's own offers. */
export function factOf({ event, transaction: t }: FeedEvent): FeedFact | null {
  if (event.endsWith('.qualified')) return null
  const other = (id: string | null | undefined) => (id && id !== t.id ? id : null)
  const part = (amount: number | string | null | undefined) => (amount == null ? null : centsFromDecimal(amount))
  return {
    event: event.slice('transaction.'.length) as FeedFact['event'],
    id: t.id,
    originalId: other(t.originalTransactionId),
    relatedId: other(t.originalTransactionId) ?? other(t.refundTransactionId),
    cents: centsFromDecimal(t.amount),
    tipCents: part(t.tipAmount),
    taxCents: part(t.taxAmount),
    pinDebit: t.verification === 'pin' && t.card.funding !== 'credit',
    currency: t.currency,
    datetime: t.datetime,
    updatedAt: momentOf(t.updated),
    cardToken: t.card.id,
    lastFour: t.card.lastNumbers,
    locationId: t.location.id,
    merchantName: t.brand?.name ?? '',
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

/** Returns whether a fact by itself is a refund. */
export function isMoneyBack({ event, cents }: Pick<FeedFact, 'event' | 'cents'>): boolean {
  return event === 'refund' || (event === 'clearing' && cents < 0)
}

/** Returns the key of card and location, by which a refund that names no purchase is matched. */
export function visitKey({ cardToken, locationId }: Pick<FeedFact, 'cardToken' | 'locationId'>): string {
  return `${cardToken} ${locationId}`
}

/**
 * Returns the transactions of a set of messages. A function of the set: neither order nor repetition matters. Refunds
 * without their purchase yield no transaction; they count as soon as the purchase arrives.
 */
export function foldMeals(facts: readonly FeedFact[]): Meal[] {
  return mealsOf(factsByMeal(facts))
}

export function mealsOf(byMeal: ReadonlyMap<string, Told>): Meal[] {
  return [...byMeal].map(([networkId, { told, refunds }]) => mealOf(networkId, told, refunds))
}

/** Groups messages by transaction. */
export function factsByMeal(facts: readonly FeedFact[]): Map<string, Told> {
  const meals = new Map<string, Told>()
  const lone: FeedFact[] = []
  for (const related of groupBy(facts, (fact) => [fact.id, ...(fact.relatedId === null ? [] : [fact.relatedId])])) {
    const group = mealsOfGroup(related)
    for (const [id, told] of group.meals) meals.set(id, told)
    lone.push(...group.lone)
  }
  assignLoneRefunds(lone, meals)
  return meals
}

/** Returns the transactions of messages that name each other, and the refunds that name none of them. */
function mealsOfGroup(facts: readonly FeedFact[]): { meals: Map<string, Told>; lone: FeedFact[] } {
  const refunding = new Set(facts.filter((f) => f.event === 'refund').map((f) => f.id))
  const refunds = facts.filter((f) => isRefund(f, refunding))
  const purchases = facts.filter((f) => f.cents >= 0 && f.event !== 'refund' && !isRefund(f, refunding))
  const byMeal = Map.groupBy(purchases, (f) => f.originalId ?? f.id)
  const meals = new Map([...byMeal].map(([id, told]): [string, Told] => [id, { told, refunds: [] }]))
  const lone: FeedFact[] = []
  for (const [refundId, told] of Map.groupBy(refunds, (f) => f.id)) {
    const mealId = namedMeal(refundId, told, byMeal)
    if (mealId !== undefined) meals.get(mealId)?.refunds.push(latest(told))
    else if (told.every((fact) => fact.relatedId === null)) lone.push(latest(told))
  }
  return { meals, lone }
}

// A refund is sent as a refund and as a clearing below zero, and the clearing of a linked refund may lack its sign.
function isRefund(fact: FeedFact, refunding: ReadonlySet<string>): boolean {
  if (isMoneyBack(fact)) return true
  return fact.event === 'clearing' && fact.originalId !== null && refunding.has(fact.id)
}

/** A refund may name its purchase in one message only, so the names in all its messages apply. */
function namedMeal(refundId: string, told: FeedFact[], meals: ReadonlyMap<string, FeedFact[]>): string | undefined {
  const ids = [...meals.keys()].toSorted()
  const namedBy = ids.find((id) => meals.get(id)?.some((fact) => fact.relatedId === refundId))
  const named = [...told.toSorted(compare).flatMap((f) => [f.originalId, f.relatedId]), namedBy, refundId, ...ids]
  return named.find((id): id is string => id !== null && id !== undefined && meals.has(id))
}

/** How old the purchase of a refund that names none may be. */
const refundableFor = 180 * DAY

/** Assigns refunds without a purchase to the last earlier one of the same card and location that covers them. */
function assignLoneRefunds(lone: readonly FeedFact[], meals: ReadonlyMap<string, Told>): void {
  if (lone.length === 0) return
  const byVisit = Map.groupBy(meals, ([id, { told, refunds }]) => visitKey(mealOf(id, told, refunds)))
  for (const refund of lone.toSorted((a, b) => momentOf(a.datetime) - momentOf(b.datetime) || compare(a, b))) {
    const at = momentOf(refund.datetime)
    const [bearing] = (byVisit.get(visitKey(refund)) ?? [])
      .map(([id, { told, refunds }]) => ({ id, refunds, meal: mealOf(id, told, refunds) }))
      .filter(({ meal }) => momentOf(meal.datetime) <= at && at - momentOf(meal.datetime) <= refundableFor)
      .filter(({ meal }) => amountOf(meal) - meal.refundedCents >= Math.abs(refund.cents))
      .toSorted((a, b) => momentOf(b.meal.datetime) - momentOf(a.meal.datetime) || (a.id < b.id ? -1 : 1))
    bearing?.refunds.push(refund)
  }
}

const amountOf = ({ clearedAt, dineCents, ticketCents }: Meal) => (clearedAt === null ? ticketCents : dineCents)

function mealOf(networkId: string, told: FeedFact[], refunds: FeedFact[]): Meal {
  const auth = latestOf(told, 'auth')
  const clearing = latestOf(told, 'clearing')
  const settled = clearing ?? (auth as FeedFact)
  const refundedCents = refunds.reduce((sum, f) => sum + Math.abs(f.cents), 0)
  const refunded = refundedCents > 0 && refundedCents >= settled.cents
  return {
    networkId,
    stage: refunded ? 'refunded' : clearing ? 'cleared' : 'authorized',
    ticketCents: (auth ?? settled).cents,
    dineCents: clearing?.cents ?? 0,
    // The increase from authorization to clearing is the tip.
    tipCents: settled.tipCents ?? (auth && clearing ? Math.max(0, clearing.cents - auth.cents) : 0),
    taxCents: settled.taxCents ?? auth?.taxCents ?? 0,
    refundedCents,
    pinDebit: told.some((fact) => fact.pinDebit),
    currency: settled.currency,
    datetime: (auth ?? settled).datetime,
    clearedAt: clearing?.updatedAt ?? null,
    cardToken: settled.cardToken,
    lastFour: settled.lastFour,
    locationId: settled.locationId,
    merchantName: settled.merchantName,
  }
}

function latestOf(told: readonly FeedFact[], event: FeedFact['event']): FeedFact | null {
  const of = told.filter((fact) => fact.event === event)
  return of.length > 0 ? latest(of) : null
}

/** Returns the message that applies: the latest, and always the same one of messages with equal times. */
function latest(facts: readonly FeedFact[]): FeedFact {
  return facts.reduce((a, b) => (compare(b, a) > 0 ? b : a))
}

function compare(a: FeedFact, b: FeedFact): number {
  return (
    a.updatedAt - b.updatedAt ||
    Number(a.event === 'refund') - Number(b.event === 'refund') ||
    Math.abs(a.cents) - Math.abs(b.cents) ||
    (orderText(a) < orderText(b) ? -1 : 1)
  )
}

// Of two messages that differ only in their contents, always the same one applies.
function orderText(fact: FeedFact): string {
  return JSON.stringify(fact)
}
