import type { Db, Tx } from '../../platform/database/db.ts'
import type { FeedEvent } from './contract.ts'
import { type FeedMessage, isRefundMessage, messageIdOf, toFeedMessage, visitKey } from './fold.ts'
import { listMessagesAbout, listNetworkIdsOfVisits, listUnlinkedRefunds, type StoredMessage } from './store.ts'

/** All stored messages related to some transactions: a transaction can be computed from these and the new ones. */
export interface RelatedMessages {
  messages: FeedMessage[]
  /** The ids of messages that are already stored, including those without effect. */
  known: Set<string>
}

/**
 * Loads the stored messages about transactions, those that these name, and so on; and for a refund that names no
 * purchase, all messages of its card at its location. `newMessages` are not stored yet.
 */
export async function loadRelatedMessages(
  tx: Db | Tx,
  networkIds: readonly string[],
  newMessages: readonly FeedMessage[],
): Promise<RelatedMessages> {
  const stored = new Map<string, StoredMessage>()
  const named = newMessages.flatMap(({ id, relatedId }) => [id, relatedId])
  const [refunds] = await Promise.all([
    listUnlinkedRefunds(tx, tokensOf(newMessages)),
    loadLinkedMessages(
      tx,
      stored,
      [...networkIds, ...named].filter((id) => id !== null),
    ),
  ])
  const before = toFeedMessages([...stored.values()].map(({ event }) => event))
  const queriedTokens = new Set(tokensOf(newMessages))
  const others = await listUnlinkedRefunds(
    tx,
    tokensOf(before).filter((token) => !queriedTokens.has(token)),
  )
  const unlinkedRefunds = filterUnlinkedRefunds([...newMessages, ...before], toFeedMessages([...refunds, ...others]))
  if (unlinkedRefunds.length > 0) {
    const visits = [...new Map(unlinkedRefunds.map((message) => [visitKey(message), message])).values()]
    const transactionIds = await listNetworkIdsOfVisits(tx, visits)
    await loadLinkedMessages(tx, stored, [...transactionIds, ...unlinkedRefunds.map(({ id }) => id)])
  }
  const messages = [...stored.values()]
  return {
    messages: toFeedMessages(messages.filter(({ isIgnored }) => !isIgnored).map(({ event }) => event)),
    known: new Set(stored.keys()),
  }
}

/** Follows ids to messages, and these to the ids that they name, until no new id is found. */
async function loadLinkedMessages(
  tx: Db | Tx,
  stored: Map<string, StoredMessage>,
  ids: readonly string[],
): Promise<void> {
  const queried = new Set<string>()
  for (let next = [...new Set(ids)]; next.length > 0; ) {
    for (const id of next) queried.add(id)
    const found = await listMessagesAbout(tx, next)
    for (const message of found) stored.set(messageIdOf(message.event), message)
    const named = found.flatMap(({ networkId, relatedId }) => [networkId, relatedId])
    next = [...new Set(named)].filter((id): id is string => id !== null && !queried.has(id))
  }
}

/** Refunds that name no purchase, new or stored, by the cards and at the locations of the new messages. */
function filterUnlinkedRefunds(messages: readonly FeedMessage[], storedRefunds: readonly FeedMessage[]): FeedMessage[] {
  const visitKeys = new Set(messages.map(visitKey))
  return [
    ...messages.filter((message) => isRefundMessage(message) && message.relatedId === null),
    ...storedRefunds,
  ].filter((message) => visitKeys.has(visitKey(message)))
}

function tokensOf(messages: readonly FeedMessage[]): string[] {
  return [...new Set(messages.map(({ cardToken }) => cardToken))]
}

function toFeedMessages(events: readonly FeedEvent[]): FeedMessage[] {
  return events.map(toFeedMessage).filter((message) => message !== null)
}
