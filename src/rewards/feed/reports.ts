import type { Cents } from '../../platform/money.ts'
import { groupConnected } from './group-connected.ts'
import { authCodeOf, compareMessages, type FeedMessage, isRefundMessage, latest, latestOf } from './message.ts'

/** A transaction of the network: the messages that name each other. */
export interface Report {
  /** The network's id: that of the authorization, where the others name it. */
  id: string
  /** Those of the purchase: its authorizations and clearings. */
  messages: readonly FeedMessage[]
  /** The latest message of each refund that belongs to it, with the code that any message of the refund has. */
  refunds: readonly FeedMessage[]
  auth: FeedMessage | null
  /** The latest message of each clearing, the latest last: several in one currency complete one authorization together. */
  clearings: readonly FeedMessage[]
  /** The message that applies: the latest clearing, else the authorization. */
  settled: FeedMessage
  /** The charge, or the authorized amount until there is one. */
  cents: Cents
  authCode: string | null
}

/** Returns the reports of messages, and the refunds that name none: the latest message of each. */
export function groupReports(messages: readonly FeedMessage[]): { reports: Report[]; unlinkedRefunds: FeedMessage[] } {
  const groups = groupConnected(messages, ({ id, relatedId }) => (relatedId === null ? [id] : [id, relatedId]))
  const found = groups.map(reportsOfGroup)
  return {
    reports: found.flatMap(({ reports }) => reports),
    unlinkedRefunds: found.flatMap(({ unlinkedRefunds }) => unlinkedRefunds),
  }
}

/** Returns the reports among messages that name each other, and the refunds that name none of them. */
function reportsOfGroup(messages: readonly FeedMessage[]): { reports: Report[]; unlinkedRefunds: FeedMessage[] } {
  const originals = originalsOf(messages)
  const rootOf = (id: string) => rootAmong(originals, id)
  const refunding = Map.groupBy(messages.filter(isRefundMessage), (f) => f.id)
  // A refund is sent as a refund and as a clearing below zero, and the clearing of a linked refund may lack its sign. One
  // of another amount is the charge: some refunds carry the id of the clearing that they refund.
  const hasAmountOfRefund = (f: FeedMessage) =>
    refunding.get(f.id)?.some(({ cents }) => Math.abs(cents) === f.cents) ?? false
  const isRefund = (f: FeedMessage) =>
    isRefundMessage(f) || (f.event === 'clearing' && originals.has(f.id) && hasAmountOfRefund(f))
  const purchases = messages.filter((f) => f.cents >= 0 && !isRefund(f))
  const byReport = Map.groupBy(purchases, (f) => rootOf(f.id))
  const refunds = new Map([...byReport.keys()].map((id): [string, FeedMessage[]] => [id, []]))
  const unlinkedRefunds: FeedMessage[] = []
  for (const refundMessages of Map.groupBy(messages.filter(isRefund), (f) => f.id).values()) {
    const reportId = refundedReportId(refundMessages, byReport, rootOf)
    const refund = { ...latest(refundMessages), authCode: authCodeOf(refundMessages) }
    if (reportId !== undefined) refunds.get(reportId)?.push(refund)
    else if (refundMessages.every((message) => message.relatedId === null)) unlinkedRefunds.push(refund)
  }
  return {
    reports: [...byReport].map(([id, ofReport]) => toReport(id, ofReport, refunds.get(id) ?? [])),
    unlinkedRefunds,
  }
}

/** Returns what each transaction completes or refunds: one of its messages is enough to name it, and the latest applies. */
function originalsOf(messages: readonly FeedMessage[]): Map<string, string> {
  const naming = messages.filter(({ originalId }) => originalId !== null)
  return new Map(
    [...Map.groupBy(naming, ({ id }) => id)].flatMap(([id, own]): [string, string][] => {
      const { originalId } = latest(own)
      return originalId === null ? [] : [[id, originalId]]
    }),
  )
}

/** Follows the names of transactions to the first one; of a circle, always to the same. */
function rootAmong(originals: ReadonlyMap<string, string>, id: string): string {
  const path = [id]
  for (let next = originals.get(id); next !== undefined; next = originals.get(next)) {
    const start = path.indexOf(next)
    if (start !== -1) return path.slice(start).toSorted()[0] as string
    path.push(next)
  }
  return path.at(-1) as string
}

/** A refund may name its purchase in one message only, so the names in all its messages apply. */
function refundedReportId(
  refundMessages: readonly FeedMessage[],
  reports: ReadonlyMap<string, readonly FeedMessage[]>,
  rootOf: (id: string) => string,
): string | undefined {
  const refundId = (refundMessages[0] as FeedMessage).id
  const ids = [...reports.keys()].toSorted()
  const namedBy = ids.find((id) => reports.get(id)?.some((message) => message.relatedId === refundId))
  const named = [
    ...refundMessages.toSorted(compareMessages).flatMap((f) => [f.originalId, f.relatedId]),
    namedBy,
    refundId,
    ...ids,
  ]
  return named
    .filter((id) => id != null)
    .map((id) => (reports.has(id) ? id : rootOf(id)))
    .find((id) => reports.has(id))
}

function toReport(id: string, messages: readonly FeedMessage[], refunds: readonly FeedMessage[]): Report {
  const auth = latestOf(messages, 'auth')
  const cleared = messages.filter(({ event }) => event === 'clearing')
  const clearings = inOneCurrency(
    [...Map.groupBy(cleared, (message) => message.id).values()].map(latest).toSorted(compareMessages),
  )
  const settled = clearings.at(-1) ?? (auth as FeedMessage)
  return {
    id,
    messages,
    refunds,
    auth,
    clearings,
    settled,
    cents: clearings.length === 0 ? settled.cents : clearings.reduce((sum, { cents }) => sum + cents, 0),
    authCode: authCodeOf(messages),
  }
}

/** Amounts of different currencies do not add up: returns the clearings that can earn, in dollars, if there are any. */
function inOneCurrency(clearings: readonly FeedMessage[]): readonly FeedMessage[] {
  const inDollars = clearings.filter(({ currency }) => currency === 'USD')
  const currency = inDollars.length > 0 ? 'USD' : clearings.at(-1)?.currency
  return clearings.filter((message) => message.currency === currency)
}
