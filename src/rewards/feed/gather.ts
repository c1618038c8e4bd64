import type { Db, Tx } from '../../platform/database/db.ts'
import { mealsOfVisits } from '../awards/store.ts'
import type { FeedEvent } from './contract.ts'
import { type FeedFact, factOf, isMoneyBack, messageIdOf, visitKey } from './fold.ts'
import { type KeptMessage, loneRefunds, messagesAbout } from './store.ts'

/** All stored messages related to some transactions: a transaction can be computed from these and the new ones. */
export interface Gathered {
  facts: FeedFact[]
  /** The ids of messages that are already stored, including those without effect. */
  known: Set<string>
}

/**
 * Loads the stored messages about transactions, those that these name, and so on; and for a refund that names no
 * purchase, all messages of its card at its location. `fresh` are messages that are not stored yet.
 */
export async function gather(
  tx: Db | Tx,
  networkIds: readonly string[],
  fresh: readonly FeedFact[],
): Promise<Gathered> {
  const kept = new Map<string, KeptMessage>()
  const named = fresh.flatMap(({ id, relatedId }) => [id, relatedId])
  const [refunds] = await Promise.all([
    loneRefunds(tx, tokensOf(fresh)),
    follow(
      tx,
      kept,
      [...networkIds, ...named].filter((id) => id !== null),
    ),
  ])
  const before = factsOf([...kept.values()].map(({ event }) => event))
  const asked = new Set(tokensOf(fresh))
  const others = await loneRefunds(
    tx,
    tokensOf(before).filter((token) => !asked.has(token)),
  )
  const lone = loneOnes([...fresh, ...before], factsOf([...refunds, ...others]))
  if (lone.length > 0) {
    const visits = [...new Map(lone.map((fact) => [visitKey(fact), fact])).values()]
    const meals = await mealsOfVisits(tx, visits)
    await follow(tx, kept, [...meals, ...lone.map(({ id }) => id)])
  }
  const messages = [...kept.values()]
  return {
    facts: factsOf(messages.filter(({ isIgnored }) => !isIgnored).map(({ event }) => event)),
    known: new Set(kept.keys()),
  }
}

/** Follows ids to messages, and these to the ids that they name, until no new id is found. */
async function follow(tx: Db | Tx, kept: Map<string, KeptMessage>, ids: readonly string[]): Promise<void> {
  const asked = new Set<string>()
  for (let next = [...new Set(ids)]; next.length > 0; ) {
    for (const id of next) asked.add(id)
    const found = await messagesAbout(tx, next)
    for (const message of found) kept.set(messageIdOf(message.event), message)
    const named = found.flatMap(({ networkId, relatedId }) => [networkId, relatedId])
    next = [...new Set(named)].filter((id): id is string => id !== null && !asked.has(id))
  }
}

/** Refunds that name no purchase, new or stored, by the cards and at the locations of the new messages. */
function loneOnes(told: readonly FeedFact[], kept: readonly FeedFact[]): FeedFact[] {
  const places = new Set(told.map(visitKey))
  return [...told.filter((fact) => isMoneyBack(fact) && fact.relatedId === null), ...kept].filter((fact) =>
    places.has(visitKey(fact)),
  )
}

function tokensOf(facts: readonly FeedFact[]): string[] {
  return [...new Set(facts.map(({ cardToken }) => cardToken))]
}

export function factsOf(events: readonly FeedEvent[]): FeedFact[] {
  return events.map(factOf).filter((fact) => fact !== null)
}
