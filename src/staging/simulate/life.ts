import { Random, seedOf } from '../../platform/random.ts'
import { DAY, HOUR, instantOf, localMoment, MINUTE } from '../../platform/time.ts'
import type { FeedEvent } from '../../rewards/feed/contract.ts'

export interface SimulatedCard {
  token: string
  lastFour: string
  scheme: string
}

export interface SimulatedPlace {
  locationId: string
  name: string
  timeZone: string
  /** 0 to 4. */
  priceRange: number
}

export interface LifePlan {
  seed: number
  partnerId: string
  cards: readonly SimulatedCard[]
  places: readonly SimulatedPlace[]
  from: Date
  /** Events sent after this moment are left out. */
  until: Date
  /** Of one card, on average. */
  mealsPerMonth: number
}

/** An event, and when the network sends it (not necessarily in the order of occurrence). */
export interface SentEvent {
  at: Date
  event: FeedEvent
}

/**
 * Returns the feed of a program as a card network sends it, in the order of sending: purchases with tips, corrections,
 * canceled payments, whole and partial refunds, some without their purchase, disputes weeks later, repeated and late
 * messages, unknown cards and locations. The same plan gives the same events.
 */
export function simulateLife(plan: LifePlan): SentEvent[] {
  const sent: SentEvent[] = []
  for (const card of plan.cards) {
    const random = new Random(seedOf(`${plan.seed}:${card.token}`))
    const regulars = Array.from({ length: 4 }, () => random.pick(plan.places))
    for (let day = plan.from.getTime(); day < plan.until.getTime(); day += DAY) {
      if (!random.chance(plan.mealsPerMonth / 30)) continue
      const place = random.chance(0.6) ? random.pick(regulars) : random.pick(plan.places)
      sent.push(...tellMeal(plan, random, { card, place, day: new Date(day) }))
    }
  }
  return sent
    .filter(({ at }) => at < plan.until)
    .sort((a, b) => a.at.getTime() - b.at.getTime() || (a.event.transaction.id < b.event.transaction.id ? -1 : 1))
}

/** Probabilities of variations. */
const often = {
  lunch: 0.25,
  reversed: 0.01,
  corrected: 0.02,
  refunded: 0.02,
  partlyRefunded: 0.02,
  loneRefund: 0.3,
  disputed: 0.005,
  repeated: 0.03,
  late: 0.03,
  strangeCard: 0.01,
  strangePlace: 0.01,
}

interface Visit {
  card: SimulatedCard
  place: SimulatedPlace
  day: Date
}

function tellMeal(plan: LifePlan, random: Random, { card, place, day }: Visit): SentEvent[] {
  const { date } = localMoment(day, place.timeZone)
  const hour = random.chance(often.lunch) ? random.int(11, 13) : random.int(17, 21)
  const dinedAt = instantOf(date, hour * 60 + random.int(0, 59), place.timeZone) ?? day
  const teller = tellerOf(plan, random, {
    id: uuidOf(random),
    card: random.chance(often.strangeCard) ? { ...card, token: uuidOf(random) } : card,
    place: random.chance(often.strangePlace) ? { ...place, locationId: uuidOf(random) } : place,
    dinedAt,
  })
  const bill = Math.round((12 + place.priceRange * 14) * 100 * (0.6 + random.next()))
  const auth = teller('auth', bill, random.int(1, 20) * MINUTE)
  if (random.chance(often.reversed)) return [...auth, ...teller('auth', 0, 2 * HOUR)]
  const charged = Math.round(bill * (1.1 + random.next() * 0.15))
  const clearedAfter = random.int(18, 90) * HOUR
  const clearing = teller('clearing', charged, clearedAfter)
  const correction = random.chance(often.corrected) ? teller('clearing', charged - 1_00, clearedAfter + 12 * HOUR) : []
  return [...auth, ...clearing, ...correction, ...backOf(random, teller, charged, clearedAfter)]
}

function backOf(random: Random, teller: Teller, charged: number, clearedAfter: number): SentEvent[] {
  if (random.chance(often.disputed)) return teller('refund', charged, random.int(20, 60) * DAY)
  if (random.chance(often.refunded)) return teller('refund', charged, clearedAfter + random.int(1, 10) * DAY)
  if (!random.chance(often.partlyRefunded)) return []
  return teller('refund', Math.round(charged * (0.1 + random.next() * 0.5)), clearedAfter + random.int(1, 5) * DAY)
}

/** Returns the events of one message about a transaction: its kind, its cents, and the delay in milliseconds. */
type Teller = (what: 'auth' | 'clearing' | 'refund', cents: number, after: number) => SentEvent[]

interface Told {
  id: string
  card: SimulatedCard
  place: SimulatedPlace
  dinedAt: Date
}

function tellerOf(plan: LifePlan, random: Random, { id, card, place, dinedAt }: Told): Teller {
  return (what, cents, after) => {
    const happened = new Date(dinedAt.getTime() + after)
    const isRefund = what === 'refund'
    const isLone = isRefund && random.chance(often.loneRefund)
    const event: FeedEvent = {
      event: `transaction.${what}`,
      transaction: {
        id: isRefund ? uuidOf(random) : id,
        programId: plan.partnerId,
        amount: ((isRefund ? -cents : cents) / 100).toFixed(2),
        currency: 'USD',
        datetime: (isRefund ? happened : dinedAt).toISOString(),
        created: happened.toISOString(),
        updated: happened.toISOString(),
        auth: !isRefund,
        cleared: what !== 'auth',
        cardPresent: true,
        merchantCategoryCode: '5812',
        ...(isRefund && !isLone && { originalTransactionId: id }),
        card: { id: card.token, scheme: card.scheme, lastNumbers: card.lastFour },
        brand: { name: place.name },
        location: { id: place.locationId },
      },
    }
    // A refund is also sent as a clearing below zero.
    const twin: FeedEvent[] = isRefund ? [{ ...event, event: 'transaction.clearing' }] : []
    return [event, ...twin].flatMap((each) => sendingsOf(random, happened, each))
  }
}

function sendingsOf(random: Random, happened: Date, event: FeedEvent): SentEvent[] {
  const delay = random.chance(often.late) ? random.int(1, 72) * HOUR : random.int(1, 600) * 1000
  const at = new Date(happened.getTime() + delay)
  if (!random.chance(often.repeated)) return [{ at, event }]
  return [
    { at, event },
    { at: new Date(at.getTime() + random.int(1, 120) * MINUTE), event },
  ]
}

function uuidOf(random: Random): string {
  const hex = Array.from({ length: 32 }, () => random.int(0, 15).toString(16)).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}
