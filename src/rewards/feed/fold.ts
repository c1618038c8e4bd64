import type { FeedTransaction } from '../awards/match.ts'
import type { FeedMessage } from './message.ts'
import { type PlaceOf, placeByLocation } from './places.ts'
import { groupPurchases, type Purchase, refundedCents } from './purchases.ts'
import type { Report } from './reports.ts'

/**
 * Returns the transactions of a set of messages. A function of the set: neither order nor repetition matters. Refunds
 * without their purchase yield no transaction; they count as soon as the purchase arrives.
 */
export function foldMessages(messages: readonly FeedMessage[], placeOf: PlaceOf = placeByLocation): FeedTransaction[] {
  return groupPurchases(messages, placeOf).map(toTransaction)
}

function toTransaction({ reports, report, refunds, refundIds, datetime }: Purchase): FeedTransaction {
  const { settled, clearings } = report
  const authorized = report.auth ?? reports.find((other) => other.auth !== null)?.auth ?? null
  // An amount in another currency says nothing about the bill.
  const auth = authorized?.currency === settled.currency ? authorized : null
  const isCharged = clearings.length > 0
  const refunded = refundedCents(refunds)
  const messageIds = reports.flatMap(({ messages }) => messages.map(({ id }) => id))
  return {
    networkId: report.id,
    purchaseIds: uniqueInOrder([...reports.map(({ id }) => id), ...messageIds]),
    messageNetworkIds: uniqueInOrder([...messageIds, ...refundIds]),
    stage: refunded > 0 && refunded >= report.cents ? 'refunded' : isCharged ? 'cleared' : 'authorized',
    ticketCents: (auth ?? settled).cents,
    clearedCents: isCharged ? report.cents : 0,
    tipCents: tipOf(report, auth),
    taxCents: sumOf(partsOf(report, 'taxCents')) ?? auth?.taxCents ?? 0,
    refundedCents: refunded,
    pinDebit: reports.some(({ messages }) => messages.some((message) => message.pinDebit)),
    currency: settled.currency,
    authCode: report.authCode,
    datetime,
    clearedAt: isCharged ? settled.updatedAt : null,
    cardToken: settled.cardToken,
    lastFour: settled.lastFour,
    locationId: settled.locationId,
    merchantName: settled.merchantName,
  }
}

const uniqueInOrder = (ids: readonly string[]) => [...new Set(ids)].toSorted()

/** The increase from authorization to clearing is the tip, where the network does not report it. */
function tipOf(report: Report, auth: FeedMessage | null): number {
  const increase = auth && report.clearings.length > 0 ? Math.max(0, report.cents - auth.cents) : 0
  return sumOf(partsOf(report, 'tipCents')) ?? increase
}

/** Returns a part of the bill as the clearings report it, or the authorization while there is none. */
function partsOf({ clearings, settled }: Report, part: 'tipCents' | 'taxCents'): (number | null)[] {
  return (clearings.length > 0 ? clearings : [settled]).map((message) => message[part])
}

/** Returns the sum of amounts; null when none is known. */
function sumOf(amounts: readonly (number | null)[]): number | null {
  const known = amounts.filter((amount) => amount !== null)
  return known.length === 0 ? null : known.reduce((sum, amount) => sum + amount, 0)
}
