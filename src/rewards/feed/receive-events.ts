import type { Ctx } from '../../platform/http/context.ts'
import { keepMeals, keepOpened, matchedIds, openMeals } from '../awards/keep-meals.ts'
import { lookAround } from '../awards/look-around.ts'
import { arrivedLocations, waitingMeals } from '../awards/store.ts'
import type { FeedEvent, Outcome } from './contract.ts'
import { type FeedFact, factOf, factsByMeal, foldMeals, mealsOf, messageIdOf, type Told } from './fold.ts'
import { gather } from './gather.ts'
import { inLanes } from './shards.ts'
import { insertMessages, type NewMessage } from './store.ts'

/** Maximum number of messages in one transaction. */
export const mostTogether = 500

/**
 * Receives messages of the card network, each once, with all effects, in one database transaction. An award is computed
 * from all messages about its transaction, so they may arrive in any order, repeatedly and concurrently. Returns the
 * outcome of each, in order; `repeated` changed nothing.
 */
export async function receiveEvents(ctx: Ctx, events: readonly FeedEvent[]): Promise<Outcome[]> {
  const tokens = events.map(({ transaction }) => transaction.card.id)
  return inLanes(ctx, tokens, async (tx, holdsFor) => {
    const facts = events.map(factOf)
    const said = facts.filter((fact) => fact !== null)
    const ids = events.map(({ transaction }) => transaction.id)
    // Most transactions are found by the ids in their own messages: these are queried at once.
    const [{ facts: kept, known }, ahead] = await Promise.all([gather(tx, ids, said), lookAround(tx, said.map(clueOf))])
    holdsFor(kept.map(({ cardToken }) => cardToken))
    const messages = events.map((event, index) => ({
      event,
      fact: facts[index] ?? null,
      messageId: messageIdOf(event),
    }))
    const fresh = firstOfEach(messages).filter(({ messageId }) => !known.has(messageId))
    const news = fresh.map(({ fact }) => fact).filter((fact) => fact !== null)
    const told = news.length === 0 ? new Map() : factsByMeal([...kept, ...news])
    const placed = idsOf(told.values())
    // The named transaction is missing, or another partition is processing it at this moment.
    if (news.some(({ id, relatedId }) => relatedId !== null && !placed.has(id))) holdsFor('every')
    const opened = await openMeals(tx, ctx, mealsOf(told), ahead)
    const matched = matchedOf(told, matchedIds(opened))
    const outcomes = fresh.map(({ fact }) => outcomeOf(fact, matched))
    await Promise.all([
      keepOpened(tx, ctx, opened),
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
function firstOfEach<M extends { messageId: string }>(messages: readonly M[]): M[] {
  const seen = new Set<string>()
  return messages.filter(({ messageId }) => !seen.has(messageId) && seen.add(messageId))
}

const clueOf = ({ id, cardToken, locationId }: FeedFact) => ({ networkId: id, cardToken, locationId })

/** Returns the ids of transactions with a known card and location. */
function matchedOf(told: ReadonlyMap<string, Told>, meals: ReadonlySet<string>): ReadonlySet<string> {
  return idsOf([...told].filter(([networkId]) => meals.has(networkId)).map(([, facts]) => facts))
}

/** Returns the transaction ids; the latest message of a refund represents all its messages. */
function idsOf(told: Iterable<Told>): Set<string> {
  return new Set([...told].flatMap((meal) => [...meal.told, ...meal.refunds].map(({ id }) => id)))
}

function outcomeOf(fact: FeedFact | null, matched: ReadonlySet<string>): NewMessage['outcome'] {
  if (fact === null) return 'ignored'
  return matched.has(fact.id) ? 'applied' : 'unmatched'
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
  const lanes = 'cardToken' in waiting ? [waiting.cardToken] : 'every'
  const ids = await inLanes(ctx, lanes, (tx) => waitingMeals(tx, waiting))
  let matched = 0
  for (let from = 0; from < ids.length; from += mostTogether) {
    matched += await rematch(ctx, lanes, ids.slice(from, from + mostTogether))
  }
  return matched
}

function rematch(ctx: Ctx, lanes: readonly string[] | 'every', ids: readonly string[]): Promise<number> {
  return inLanes(ctx, lanes, async (tx, holdsFor) => {
    const { facts } = await gather(tx, ids, [])
    holdsFor(facts.map(({ cardToken }) => cardToken))
    const found = await keepMeals(tx, ctx, foldMeals(facts))
    return ids.filter((id) => found.has(id)).length
  })
}

/** Matches transactions again whose location has become a known restaurant. Returns how many were matched. */
export async function rematchArrived(ctx: Ctx): Promise<number> {
  let found = 0
  for (const locationId of await arrivedLocations(ctx.db)) found += await rematchUnmatched(ctx, { locationId })
  return found
}
