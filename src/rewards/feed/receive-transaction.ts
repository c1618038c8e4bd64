import type { Ctx } from '../../kit/server/context.ts'
import { inTransaction, lockName, type Tx } from '../../kit/server/db.ts'
import { insertMessage, knowsMessage, relatedMessages, waitingMeals } from '../store.ts'
import type { FeedEvent, Outcome } from './contract.ts'
import { type FeedFact, factOf, foldMeals, messageIdOf } from './fold.ts'
import { keepMeal } from './keep-meal.ts'
import { databaseLookups, type FeedLookups } from './lookups.ts'

/**
 * Takes one message of the card network in, once, with everything that follows from it, in one transaction.
 * What a meal is worth is computed from all messages about it together, so they may come in any order, repeated
 * and at the same time. Answers what became of it; `repeated` changed nothing.
 */
export async function receiveTransaction(
  ctx: Ctx,
  event: FeedEvent,
  lookups: FeedLookups = databaseLookups,
): Promise<Outcome> {
  const fact = factOf(event)
  const messageId = messageIdOf(event)
  const networkId = event.transaction.id
  return inTransaction(ctx.db, async (tx) => {
    await lockMeals(tx, fact ?? { id: networkId, cardToken: event.transaction.card.id, relatedId: null })
    if (await knowsMessage(tx, messageId)) return 'repeated'
    const outcome = fact ? await applyFact(tx, ctx, fact, lookups) : 'ignored'
    await insertMessage(tx, { messageId, networkId, relatedId: fact?.relatedId ?? null, event, outcome })
    return outcome
  })
}

/**
 * Looks again at meals that nobody could be found for: to be called, after its transaction, when a card was linked
 * or a restaurant was added. Answers how many meals found what they waited for.
 */
export async function rematchUnmatched(
  ctx: Ctx,
  waiting: { cardToken: string } | { locationId: string },
  lookups: FeedLookups = databaseLookups,
): Promise<number> {
  let found = 0
  for (const networkId of await waitingMeals(ctx.db, waiting)) {
    const outcome = await inTransaction(ctx.db, (tx) => reconsider(tx, ctx, networkId, lookups))
    if (outcome === 'applied') found++
  }
  return found
}

async function reconsider(tx: Tx, ctx: Ctx, networkId: string, lookups: FeedLookups): Promise<string> {
  const [first] = factsOf(await relatedMessages(tx, [networkId]))
  if (!first) return 'ignored'
  await lockMeals(tx, { ...first, id: networkId })
  return keepMeals(tx, ctx, factsOf(await relatedMessages(tx, [networkId])), lookups)
}

async function applyFact(tx: Tx, ctx: Ctx, fact: FeedFact, lookups: FeedLookups): Promise<'applied' | 'unmatched'> {
  const ids = fact.relatedId === null ? [fact.id] : [fact.id, fact.relatedId]
  const before = factsOf(await relatedMessages(tx, ids))
  return keepMeals(tx, ctx, [...before, fact], lookups)
}

async function keepMeals(tx: Tx, ctx: Ctx, facts: FeedFact[], lookups: FeedLookups): Promise<'applied' | 'unmatched'> {
  let outcome: 'applied' | 'unmatched' = 'unmatched'
  for (const meal of foldMeals(facts)) {
    if (await keepMeal(tx, ctx, meal, lookups)) outcome = 'applied'
  }
  return outcome
}

function factsOf(events: readonly FeedEvent[]): FeedFact[] {
  return events.map(factOf).filter((fact) => fact !== null)
}

/** Two messages about one card, or about one meal, are never worked on at the same time. Always in the same order. */
async function lockMeals(
  tx: Tx,
  { id, relatedId, cardToken }: Pick<FeedFact, 'id' | 'relatedId' | 'cardToken'>,
): Promise<void> {
  await lockName(tx, `feed:card:${cardToken}`)
  for (const name of [id, relatedId].filter((other) => other !== null).toSorted()) await lockName(tx, `feed:${name}`)
}
