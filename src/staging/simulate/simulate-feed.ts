import { Random, seedOf } from '../../platform/random.ts'
import { DAY, HOUR, localMoment, MINUTE, toInstant } from '../../platform/time.ts'
import type { FeedEvent } from '../../rewards/feed/contract.ts'

export interface SimulatedCard {
  token: string
  lastFour: string
  scheme: string
}

export interface SimulatedMerchant {
  locationId: string
  name: string
  timeZone: string
  /** 0 to 4. */
  priceRange: number
}

export interface SimulationPlan {
  seed: number
  partnerId: string
  cards: readonly SimulatedCard[]
  merchants: readonly SimulatedMerchant[]
  from: Date
  /** Events sent after this moment are left out. */
  until: Date
  /** Of one card, on average. */
  transactionsPerMonth: number
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
export function simulateFeed(plan: SimulationPlan): SentEvent[] {
  const sent: SentEvent[] = []
  for (const card of plan.cards) {
    const random = new Random(seedOf(`${plan.seed}:${card.token}`))
    const regulars = Array.from({ length: 4 }, () => random.pick(plan.merchants))
    for (let day = plan.from.getTime(); day < plan.until.getTime(); day += DAY) {
      if (!random.chance(plan.transactionsPerMonth / 30)) continue
      const merchant = random.chance(0.6) ? random.pick(regulars) : random.pick(plan.merchants)
      sent.push(...simulateTransaction(plan, random, { card, merchant, day: new Date(day) }))
    }
  }
  return sent
    .filter(({ at }) => at < plan.until)
    .sort((a, b) => a.at.getTime() - b.at.getTime() || (a.event.transaction.id < b.event.transaction.id ? -1 : 1))
}

/** Probabilities of variations. */
const probabilities = {
  lunch: 0.25,
  reversed: 0.01,
  corrected: 0.02,
  refunded: 0.02,
  partlyRefunded: 0.02,
  unlinkedRefund: 0.3,
  disputed: 0.005,
  repeated: 0.03,
  late: 0.03,
  unknownCard: 0.01,
  unknownMerchant: 0.01,
}

interface Visit {
  card: SimulatedCard
  merchant: SimulatedMerchant
  day: Date
}

function simulateTransaction(plan: SimulationPlan, random: Random, { card, merchant, day }: Visit): SentEvent[] {
  const { date } = localMoment(day, merchant.timeZone)
  const hour = random.chance(probabilities.lunch) ? random.int(11, 13) : random.int(17, 21)
  const dinedAt = toInstant(date, hour * 60 + random.int(0, 59), merchant.timeZone) ?? day
  const send = createSender(plan, random, {
    id: randomUuid(random),
    card: random.chance(probabilities.unknownCard) ? { ...card, token: randomUuid(random) } : card,
    merchant: random.chance(probabilities.unknownMerchant) ? { ...merchant, locationId: randomUuid(random) } : merchant,
    dinedAt,
  })
  const bill = Math.round((12 + merchant.priceRange * 14) * 100 * (0.6 + random.next()))
  const auth = send('auth', bill, random.int(1, 20) * MINUTE)
  if (random.chance(probabilities.reversed)) return [...auth, ...send('auth', 0, 2 * HOUR)]
  const charged = Math.round(bill * (1.1 + random.next() * 0.15))
  const clearedAfter = random.int(18, 90) * HOUR
  const clearing = send('clearing', charged, clearedAfter)
  const correction = random.chance(probabilities.corrected)
    ? send('clearing', charged - 1_00, clearedAfter + 12 * HOUR)
    : []
  return [...auth, ...clearing, ...correction, ...simulateRefund(random, send, charged, clearedAfter)]
}

function simulateRefund(random: Random, send: SendMessages, charged: number, clearedAfter: number): SentEvent[] {
  if (random.chance(probabilities.disputed)) return send('refund', charged, random.int(20, 60) * DAY)
  if (random.chance(probabilities.refunded)) return send('refund', charged, clearedAfter + random.int(1, 10) * DAY)
  if (!random.chance(probabilities.partlyRefunded)) return []
  return send('refund', Math.round(charged * (0.1 + random.next() * 0.5)), clearedAfter + random.int(1, 5) * DAY)
}

/** Returns the events of one message about a transaction: its kind, its cents, and the delay in milliseconds. */
type SendMessages = (kind: 'auth' | 'clearing' | 'refund', cents: number, after: number) => SentEvent[]

interface SimulatedTransaction {
  id: string
  card: SimulatedCard
  merchant: SimulatedMerchant
  dinedAt: Date
}

function createSender(
  plan: SimulationPlan,
  random: Random,
  { id, card, merchant, dinedAt }: SimulatedTransaction,
): SendMessages {
  return (kind, cents, after) => {
    const happened = new Date(dinedAt.getTime() + after)
    const isRefund = kind === 'refund'
    const isUnlinked = isRefund && random.chance(probabilities.unlinkedRefund)
    const event: FeedEvent = {
      event: `transaction.${kind}`,
      transaction: {
        id: isRefund ? randomUuid(random) : id,
        programId: plan.partnerId,
        amount: ((isRefund ? -cents : cents) / 100).toFixed(2),
        currency: 'USD',
        datetime: (isRefund ? happened : dinedAt).toISOString(),
        created: happened.toISOString(),
        updated: happened.toISOString(),
        auth: !isRefund,
        cleared: kind !== 'auth',
        cardPresent: true,
        merchantCategoryCode: '5812',
        ...(isRefund && !isUnlinked && { originalTransactionId: id }),
        card: { id: card.token, scheme: card.scheme, lastNumbers: card.lastFour },
        brand: { name: merchant.name },
        location: { id: merchant.locationId },
      },
    }
    // A refund is also sent as a clearing below zero.
    const twin: FeedEvent[] = isRefund ? [{ ...event, event: 'transaction.clearing' }] : []
    return [event, ...twin].flatMap((each) => simulateDeliveries(random, happened, each))
  }
}

function simulateDeliveries(random: Random, happened: Date, event: FeedEvent): SentEvent[] {
  const delay = random.chance(probabilities.late) ? random.int(1, 72) * HOUR : random.int(1, 600) * 1000
  const at = new Date(happened.getTime() + delay)
  if (!random.chance(probabilities.repeated)) return [{ at, event }]
  return [
    { at, event },
    { at: new Date(at.getTime() + random.int(1, 120) * MINUTE), event },
  ]
}

function randomUuid(random: Random): string {
  const hex = Array.from({ length: 32 }, () => random.int(0, 15).toString(16)).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}
