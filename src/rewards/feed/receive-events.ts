import type { Ctx } from '../../platform/http/context.ts'
import { applyDecisions, storeTransactions } from '../awards/apply.ts'
import { decideTransaction } from '../awards/decide.ts'
import { matchedNetworkIds, matchTransactions } from '../awards/match.ts'
import { loadMatchContext } from '../awards/match-context.ts'
import type { FeedEvent, Outcome } from './contract.ts'
import { type FeedMessage, foldMessages, messageIdOf, toFeedMessage } from './fold.ts'
import { withPartitionLocks } from './partitions.ts'
import { loadRelatedMessages } from './related-messages.ts'
import { insertMessages, listJoinedLocations, listUnmatchedNetworkIds, type NewMessage } from './store.ts'

/** Maximum number of messages in one transaction. */
export const maxBatchSize = 500

/**
 * Receives messages of the card network, each once, with all effects, in one database transaction. An award is computed
 * from all messages about its transaction, so they may arrive in any order, repeatedly and concurrently. Returns the
 * outcome of each, in order; `repeated` changed nothing.
 */
export async function receiveEvents(ctx: Ctx, events: readonly FeedEvent[]): Promise<Outcome[]> {
  const tokens = events.map(({ transaction }) => transaction.card.id)
  return withPartitionLocks(ctx, tokens, async (tx, requirePartitions) => {
    const feedMessages = events.map(toFeedMessage)
    const relevant = feedMessages.filter((parsed) => parsed !== null)
    const ids = events.map(({ transaction }) => transaction.id)
    // Most transactions are found by the ids in their own messages: these are queried at once.
    const [{ messages: stored, known: storedIds }, prefetched] = await Promise.all([
      loadRelatedMessages(tx, ids, relevant),
      loadMatchContext(tx, ctx.program.config, relevant.map(toMatchKey)),
    ])
    requirePartitions(stored.map(({ cardToken }) => cardToken))
    const messages = events.map((event, index) => ({
      event,
      parsed: feedMessages[index] ?? null,
      messageId: messageIdOf(event),
    }))
    const fresh = uniqueMessages(messages).filter(({ messageId }) => !storedIds.has(messageId))
    const newMessages = fresh.map(({ parsed }) => parsed).filter((parsed) => parsed !== null)
    const transactions = newMessages.length === 0 ? [] : foldMessages([...stored, ...newMessages])
    const assignedIds = new Set(transactions.flatMap(({ messageNetworkIds }) => messageNetworkIds))
    // The named transaction is missing, or another partition is processing it at this moment.
    if (newMessages.some(({ id, relatedId }) => relatedId !== null && !assignedIds.has(id))) requirePartitions('every')
    const matched = await matchTransactions(tx, ctx, transactions, prefetched)
    const matchedIds = matchedNetworkIds(matched)
    const applied = new Set(
      transactions
        .filter(({ networkId }) => matchedIds.has(networkId))
        .flatMap(({ messageNetworkIds }) => messageNetworkIds),
    )
    const outcomes = fresh.map(({ parsed }) => outcomeOf(parsed, applied))
    await Promise.all([
      applyDecisions(tx, ctx, matched.map(decideTransaction)),
      insertMessages(
        tx,
        fresh.map((message, index) => ({ ...message, outcome: outcomes[index] ?? 'ignored' })),
      ),
    ])
    const byMessage = new Map(fresh.map((message, index) => [message, outcomes[index]]))
    return messages.map((message) => byMessage.get(message) ?? 'repeated')
  })
}

/** Returns the first of identical messages. */
function uniqueMessages<M extends { messageId: string }>(messages: readonly M[]): M[] {
  const seen = new Set<string>()
  return messages.filter(({ messageId }) => !seen.has(messageId) && seen.add(messageId))
}

const toMatchKey = ({ id, cardToken, locationId }: FeedMessage) => ({ networkId: id, cardToken, locationId })

function outcomeOf(parsed: FeedMessage | null, applied: ReadonlySet<string>): NewMessage['outcome'] {
  if (parsed === null) return 'ignored'
  return applied.has(parsed.id) ? 'applied' : 'unmatched'
}

/**
 * Matches unmatched transactions again: call it, after its transaction, when a card was linked or a restaurant was
 * added. Returns the number of transactions that were matched.
 */
export async function rematchUnmatched(
  ctx: Ctx,
  waiting: { cardToken: string } | { locationId: string },
): Promise<number> {
  // Concurrent transactions did not see the card yet: wait for their messages.
  const cardTokens = 'cardToken' in waiting ? [waiting.cardToken] : 'every'
  const ids = await withPartitionLocks(ctx, cardTokens, (tx) => listUnmatchedNetworkIds(tx, waiting))
  let matched = 0
  for (let from = 0; from < ids.length; from += maxBatchSize) {
    matched += await rematch(ctx, cardTokens, ids.slice(from, from + maxBatchSize))
  }
  return matched
}

function rematch(ctx: Ctx, cardTokens: readonly string[] | 'every', ids: readonly string[]): Promise<number> {
  return withPartitionLocks(ctx, cardTokens, async (tx, requirePartitions) => {
    const { messages } = await loadRelatedMessages(tx, ids, [])
    requirePartitions(messages.map(({ cardToken }) => cardToken))
    const found = await storeTransactions(tx, ctx, foldMessages(messages))
    return ids.filter((id) => found.has(id)).length
  })
}

/** Matches transactions again whose location has become a known restaurant. Returns how many were matched. */
export async function rematchJoinedLocations(ctx: Ctx): Promise<number> {
  let found = 0
  for (const locationId of await listJoinedLocations(ctx.db)) found += await rematchUnmatched(ctx, { locationId })
  return found
}
