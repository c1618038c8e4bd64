import type { Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { applyDecisions, storeTransactions } from '../awards/apply.ts'
import { decideTransaction } from '../awards/decide.ts'
import { matchTransactions } from '../awards/match.ts'
import { loadMatchContext, type MatchContext, type MatchKey } from '../awards/match-context.ts'
import type { FeedEvent, Outcome } from './contract.ts'
import { foldMessages } from './fold.ts'
import { type FeedMessage, messageIdOf, toFeedMessage } from './message.ts'
import { type RequirePartitions, withPartitionLocks } from './partitions.ts'
import { placesAmong } from './places.ts'
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
      loadMatchContext(tx, ctx.program.config, relevant.flatMap(toMatchKeys)),
    ])
    requirePartitions(stored.map(({ cardToken }) => cardToken))
    const messages = events.map((event, index) => ({
      event,
      parsed: feedMessages[index] ?? null,
      messageId: messageIdOf(event),
    }))
    const fresh = uniqueMessages(messages).filter(({ messageId }) => !storedIds.has(messageId))
    const newMessages = fresh.map(({ parsed }) => parsed).filter((parsed) => parsed !== null)
    const all = newMessages.length === 0 ? [] : [...stored, ...newMessages]
    const context = await loadContext(tx, ctx, all, prefetched)
    const transactions = foldMessages(all, placesAmong(context.merchants))
    const assignedIds = new Set(transactions.flatMap(({ messageNetworkIds }) => messageNetworkIds))
    // The named transaction is missing, or another partition is processing it at this moment.
    if (newMessages.some(({ id, relatedId }) => relatedId !== null && !assignedIds.has(id))) requirePartitions('every')
    const matched = all.length === 0 ? null : await matchTransactions(tx, ctx, transactions, context)
    const outcomes = fresh.map(({ parsed }) => outcomeOf(parsed, matched?.networkIds))
    await Promise.all([
      applyDecisions(tx, ctx, matched?.transactions.map(decideTransaction) ?? []),
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

/** Returns the lookups for all these messages. */
function loadContext(
  tx: Tx,
  ctx: Ctx,
  messages: readonly FeedMessage[],
  prefetched?: MatchContext,
): Promise<MatchContext> {
  return loadMatchContext(tx, ctx.program.config, messages.flatMap(toMatchKeys), prefetched)
}

/** A stored row may have the id of the message, or the one that it names. */
function toMatchKeys({ id, originalId, cardToken, locationId }: FeedMessage): MatchKey[] {
  return [id, originalId].flatMap((networkId) => (networkId === null ? [] : [{ networkId, cardToken, locationId }]))
}

function outcomeOf(parsed: FeedMessage | null, applied: ReadonlySet<string> | undefined): NewMessage['outcome'] {
  if (parsed === null) return 'ignored'
  return applied?.has(parsed.id) ? 'applied' : 'unmatched'
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
  return withPartitionLocks(ctx, cardTokens, (tx, requirePartitions) => foldAgain(tx, ctx, ids, requirePartitions))
}

/**
 * Folds, matches and decides stored messages again, with all effects. Idempotent. The caller holds the locks of the
 * partitions. Returns how many of these network ids have a known card and restaurant.
 */
export async function foldAgain(
  tx: Tx,
  ctx: Ctx,
  ids: readonly string[],
  requirePartitions: RequirePartitions,
): Promise<number> {
  const { messages } = await loadRelatedMessages(tx, ids, [])
  requirePartitions(messages.map(({ cardToken }) => cardToken))
  const context = await loadContext(tx, ctx, messages)
  const found = await storeTransactions(tx, ctx, foldMessages(messages, placesAmong(context.merchants)), context)
  return ids.filter((id) => found.has(id)).length
}

/** Matches transactions again whose location has become a known restaurant. Returns how many were matched. */
export async function rematchJoinedLocations(ctx: Ctx): Promise<number> {
  let found = 0
  for (const locationId of await listJoinedLocations(ctx.db)) found += await rematchUnmatched(ctx, { locationId })
  return found
}
