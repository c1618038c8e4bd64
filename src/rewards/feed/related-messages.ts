import type { Db, Tx } from '../../platform/database/db.ts'
import type { FeedEvent } from './contract.ts'
import { type FeedMessage, isRefundMessage, messageIdOf, toFeedMessage } from './message.ts'
import {
  type CardCode,
  listIdsOfSameRestaurants,
  listMessagesAbout,
  listMessagesWithCodes,
  listNetworkIdsOfVisits,
  listUnlinkedRefunds,
  type StoredMessage,
} from './store.ts'

/** All stored messages related to some transactions: a transaction can be computed from these and the new ones. */
export interface RelatedMessages {
  messages: FeedMessage[]
  /** The ids of messages that are already stored, including those without effect. */
  known: Set<string>
}

/**
 * Loads the stored messages about transactions, those that these name or that have their card and authorization code, and
 * so on; and for a refund that names no purchase, all messages of its card at its restaurant. `newMessages` are not stored
 * yet.
 */
export async function loadRelatedMessages(
  tx: Db | Tx,
  networkIds: readonly string[],
  newMessages: readonly FeedMessage[],
): Promise<RelatedMessages> {
  const stored = new Map<string, StoredMessage>()
  const named = newMessages.flatMap(({ id, relatedId }) => [id, relatedId])
  const ids = [...networkIds, ...named].filter((id) => id !== null)
  const [refunds] = await Promise.all([
    listUnlinkedRefunds(tx, tokensOf(newMessages)),
    loadLinkedMessages(tx, stored, { ids, codes: codesOf(newMessages) }),
  ])
  const before = toFeedMessages([...stored.values()].map(({ event }) => event))
  const queriedTokens = new Set(tokensOf(newMessages))
  const others = await listUnlinkedRefunds(
    tx,
    tokensOf(before).filter((token) => !queriedTokens.has(token)),
  )
  const visits = await findRefundedVisits(tx, [...newMessages, ...before], toFeedMessages([...refunds, ...others]))
  if (visits.length > 0) {
    const transactionIds = await listNetworkIdsOfVisits(tx, visits)
    const refundIds = visits.map(({ refundId }) => refundId)
    await loadLinkedMessages(tx, stored, { ids: [...transactionIds, ...refundIds], codes: [] })
  }
  const messages = [...stored.values()]
  return {
    messages: toFeedMessages(messages.filter(({ isIgnored }) => !isIgnored).map(({ event }) => event)),
    known: new Set(stored.keys()),
  }
}

/** Follows ids and codes to messages, and these to the ids and codes in them, until nothing new is found. */
async function loadLinkedMessages(
  tx: Db | Tx,
  stored: Map<string, StoredMessage>,
  start: { ids: readonly string[]; codes: readonly CardCode[] },
): Promise<void> {
  const queried = new Set<string>()
  const isNew = (text: string) => !queried.has(text) && queried.add(text)
  const codeText = ({ cardToken, authCode }: CardCode) => JSON.stringify([cardToken, authCode])
  for (let { ids, codes } = start; ; ) {
    const newIds = ids.filter(isNew)
    const newCodes = codes.filter((code) => isNew(codeText(code)))
    if (newIds.length + newCodes.length === 0) return
    const [about, withCodes] = await Promise.all([listMessagesAbout(tx, newIds), listMessagesWithCodes(tx, newCodes)])
    const found = [...about, ...withCodes]
    for (const message of found) stored.set(messageIdOf(message.event), message)
    ids = found.flatMap(({ networkId, relatedId }) => [networkId, relatedId]).filter((id) => id !== null)
    codes = codesOf(toFeedMessages(found.map(({ event }) => event)))
  }
}

function codesOf(messages: readonly FeedMessage[]): CardCode[] {
  return messages.flatMap(({ cardToken, authCode, event }) =>
    // The code of a refund says nothing about the ids of purchases.
    authCode === null || event === 'refund' ? [] : [{ cardToken, authCode }],
  )
}

/**
 * Returns the card and the network ids of the restaurant of refunds that name no purchase, new or stored: of those by the
 * cards and at the restaurants of the messages.
 */
async function findRefundedVisits(
  tx: Db | Tx,
  messages: readonly FeedMessage[],
  storedRefunds: readonly FeedMessage[],
): Promise<{ refundId: string; cardToken: string; locationId: string }[]> {
  const own = messages.filter((message) => isRefundMessage(message) && message.relatedId === null)
  const refunds = [...own, ...storedRefunds]
  if (refunds.length === 0) return []
  const idsOf = await listIdsOfSameRestaurants(
    tx,
    refunds.map(({ locationId }) => locationId),
  )
  return refunds.flatMap(({ id, cardToken, locationId }) => {
    const locationIds = new Set([locationId, ...(idsOf.get(locationId) ?? [])])
    const isVisit = messages.some((other) => other.cardToken === cardToken && locationIds.has(other.locationId))
    return isVisit ? [...locationIds].map((each) => ({ refundId: id, cardToken, locationId: each })) : []
  })
}

function tokensOf(messages: readonly FeedMessage[]): string[] {
  return [...new Set(messages.map(({ cardToken }) => cardToken))]
}

function toFeedMessages(events: readonly FeedEvent[]): FeedMessage[] {
  return events.map(toFeedMessage).filter((message) => message !== null)
}
