import { instantOf } from '../../platform/instant.ts'
import { DAY } from '../../platform/time.ts'
import { groupConnected } from './group-connected.ts'
import { compareMessages, type FeedMessage } from './message.ts'
import { type PlaceOf, placeByLocation } from './places.ts'
import { groupReports, type Report } from './reports.ts'

/** One payment of a member. */
export interface Purchase {
  /** What the network reports of it; more than one when it uses several ids for the payment. Sorted by id. */
  reports: readonly Report[]
  /** The report that applies. */
  report: Report
  /** Its refunds, each once. */
  refunds: readonly FeedMessage[]
  /** The network ids of all its refunds, with those that report one again. */
  refundIds: readonly string[]
  /** The local or absolute time of the payment, as in the messages. */
  datetime: string
}

/**
 * Returns the purchases of a set of messages. A function of the set: neither order nor repetition matters. Refunds without
 * their purchase yield none; they count as soon as the purchase arrives.
 */
export function groupPurchases(messages: readonly FeedMessage[], placeOf: PlaceOf = placeByLocation): Purchase[] {
  const { reports, unlinkedRefunds } = groupReports(messages)
  const purchases = joinReports(reports, placeOf)
  return unlinkedRefunds.length === 0 ? purchases : assignUnlinkedRefunds(unlinkedRefunds, purchases, placeOf)
}

/** Returns when something happened, in milliseconds. */
function instantIn(message: Pick<FeedMessage, 'datetime' | 'locationId'>, placeOf: PlaceOf): number {
  return instantOf(message.datetime, placeOf(message).timeZone).getTime()
}

/** Returns the authorization, whose time is that of the payment, else the earliest clearing. */
function firstMessage({ auth, clearings, settled }: Report, placeOf: PlaceOf): FeedMessage {
  if (auth || clearings.length === 1) return auth ?? settled
  return earliest(clearings, placeOf)
}

function earliest(messages: readonly FeedMessage[], placeOf: PlaceOf): FeedMessage {
  const times = new Map(messages.map((message) => [message, instantIn(message, placeOf)]))
  const timeOf = (message: FeedMessage) => times.get(message) as number
  return messages.toSorted((a, b) => timeOf(a) - timeOf(b) || compareMessages(a, b))[0] as FeedMessage
}

/**
 * Joins the reports of one purchase: the network uses two ids for it, in a file and in a webhook for example. An issuer
 * gives each authorization a code of its own, so these are the reports with the same code, card and restaurant, within a
 * day, that have had an amount in common. Parts of one authorization name it, or have different amounts: equal ones that
 * do neither are taken for one purchase.
 */
function joinReports(reports: readonly Report[], placeOf: PlaceOf): Purchase[] {
  const sameCode = Map.groupBy(
    reports.filter(({ authCode }) => authCode !== null),
    ({ authCode, settled }) => JSON.stringify([authCode, settled.cardToken]),
  )
  const same = new Map<Report, string[]>()
  for (const candidates of sameCode.values()) {
    if (candidates.length === 1) continue
    const facts = candidates.map((report) => factsOf(report, placeOf))
    for (const a of facts) {
      const others = facts.filter((b) => b !== a && isSamePurchase(a, b))
      same.set(
        a.report,
        others.map(({ report }) => report.id),
      )
    }
  }
  return groupConnected(reports, (report) => [report.id, ...(same.get(report) ?? [])]).map((own) =>
    toPurchase(own, placeOf),
  )
}

function factsOf(report: Report, placeOf: PlaceOf) {
  const { messages, settled, cents } = report
  const first = firstMessage(report, placeOf)
  const amounts = new Set([...messages.map((message) => message.cents), cents].filter((amount) => amount > 0))
  return {
    report,
    at: instantIn(first, placeOf),
    place: placeOf({ ...settled, datetime: first.datetime }).key,
    amounts,
  }
}

function isSamePurchase(a: ReturnType<typeof factsOf>, b: ReturnType<typeof factsOf>): boolean {
  // A correction of one report changes its amount: what it was before still shows that both are about one purchase.
  return a.place === b.place && Math.abs(a.at - b.at) <= DAY && [...a.amounts].some((cents) => b.amounts.has(cents))
}

function toPurchase(unordered: readonly Report[], placeOf: PlaceOf): Purchase {
  const reports = unordered.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const first = (report: Report) => firstMessage(report, placeOf)
  const report = reports.toSorted(compareReports)[0] as Report
  return {
    reports,
    report,
    refunds: countedRefunds(
      // Amounts of different currencies do not add up.
      reports.map(({ refunds }) => refunds.filter(({ currency }) => currency === report.settled.currency)),
      { purchaseCode: report.authCode, placeOf },
    ),
    refundIds: reports.flatMap(({ refunds }) => refunds.map(({ id }) => id)),
    datetime: (reports.length === 1 ? first(report) : earliest(reports.map(first), placeOf)).datetime,
  }
}

/** The first one applies: one that can earn, then one that was charged, then the one that was updated last. */
function compareReports(a: Report, b: Report): number {
  const canEarn = ({ cents, settled }: Report) => Number(cents > 0) + Number(settled.currency === 'USD')
  const isCharged = ({ clearings }: Report) => Number(clearings.length > 0)
  return canEarn(b) - canEarn(a) || isCharged(b) - isCharged(a) || compareMessages(b.settled, a.settled)
}

/** What shows whether two refunds of a purchase are one. */
interface RefundContext {
  purchaseCode: string | null
  placeOf: PlaceOf
}

/**
 * Returns refunds, each once, of lists that different reports have. Within a list the ids tell them apart, except that
 * equal amounts with one code of their own, or of one moment, are one refund. In two lists, equal amounts within a day are
 * one refund too, unless their codes differ.
 */
function countedRefunds(lists: readonly (readonly FeedMessage[])[], context: RefundContext): FeedMessage[] {
  const counted: { refund: FeedMessage; lists: Set<number> }[] = []
  for (const [list, refunds] of lists.entries()) {
    for (const refund of refunds.toSorted(compareMessages)) {
      const twin = counted.find(
        (other) =>
          isSameRefund(refund, other.refund, context) ||
          (!other.lists.has(list) && mayBeSameRefund(refund, other.refund)),
      )
      if (twin) twin.lists.add(list)
      else counted.push({ refund, lists: new Set([list]) })
    }
  }
  return counted.map(({ refund }) => refund)
}

/**
 * Returns whether a code, or the moment of both, shows that two refunds are one. Refunds may also carry the code of their
 * purchase.
 */
function isSameRefund(a: FeedMessage, b: FeedMessage, { purchaseCode, placeOf }: RefundContext): boolean {
  if (!mayBeSameRefund(a, b)) return false
  const hasOwnCode = a.authCode !== null && a.authCode !== purchaseCode && a.authCode === b.authCode
  return hasOwnCode || (hasTimeOfDay(a) && instantIn(a, placeOf) === instantIn(b, placeOf))
}

/** A network that reports only days sends midnight: all refunds of a day have that moment. */
const hasTimeOfDay = ({ datetime }: FeedMessage) => !/T00:00(:00(\.0+)?)?(Z|[+-]\d\d:?\d\d)?$/i.test(datetime)

function mayBeSameRefund(a: FeedMessage, b: FeedMessage): boolean {
  const isNear = Math.abs(instantIn(a, placeByLocation) - instantIn(b, placeByLocation)) <= DAY
  const hasOtherCode = a.authCode !== null && b.authCode !== null && a.authCode !== b.authCode
  return Math.abs(a.cents) === Math.abs(b.cents) && isNear && !hasOtherCode
}

/** How old the purchase of a refund that names none may be. */
const maxRefundAgeMs = 180 * DAY

/**
 * Assigns refunds that name no purchase to the last earlier one of the same card and restaurant that covers them. One that
 * is reported again goes where the first report of it went.
 */
function assignUnlinkedRefunds(
  unlinkedRefunds: readonly FeedMessage[],
  purchases: readonly Purchase[],
  placeOf: PlaceOf,
): Purchase[] {
  const open = purchases.map((purchase) => {
    const { settled, authCode, id } = purchase.report
    const at = instantIn({ ...settled, datetime: purchase.datetime }, placeOf)
    const place = placeOf({ ...settled, datetime: purchase.datetime }).key
    const { refunds, refundIds } = purchase
    return {
      purchase,
      refunds: [...refunds],
      refundIds: [...refundIds],
      id,
      at,
      place,
      token: settled.cardToken,
      locationId: settled.locationId,
      currency: settled.currency,
      context: { purchaseCode: authCode, placeOf },
    }
  })
  const refunds = unlinkedRefunds.map((refund) => ({
    refund,
    at: instantIn(refund, placeOf),
    places: placeOf(refund).keys,
  }))
  for (const { refund, at, places } of refunds.toSorted((a, b) => a.at - b.at || compareMessages(a.refund, b.refund))) {
    const ofVisit = open.filter(
      ({ token, place, locationId, currency }) =>
        token === refund.cardToken &&
        currency === refund.currency &&
        (places.includes(place) || locationId === refund.locationId),
    )
    const reported = ofVisit.find((each) => each.refunds.some((other) => isSameRefund(refund, other, each.context)))
    reported?.refundIds.push(refund.id)
    if (reported) continue
    const [found] = ofVisit
      .filter((each) => each.at <= at && at - each.at <= maxRefundAgeMs)
      .filter(({ purchase, refunds }) => purchase.report.cents - refundedCents(refunds) >= Math.abs(refund.cents))
      .toSorted((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1))
    found?.refunds.push(refund)
    found?.refundIds.push(refund.id)
  }
  return open.map(({ purchase, refunds: counted, refundIds }) => ({ ...purchase, refunds: counted, refundIds }))
}

/** Returns the sum of refunds, which may have either sign. */
export function refundedCents(refunds: readonly FeedMessage[]): number {
  return refunds.reduce((sum, { cents }) => sum + Math.abs(cents), 0)
}
