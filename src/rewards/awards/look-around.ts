import { lockMembers, type Standing } from '../../identity/members/service.ts'
import type { Tx } from '../../platform/database/db.ts'
import {
  cardsByToken,
  type FormerTier,
  formerTiers,
  holdersOf,
  type LinkedCard,
  merchantsByNetworkId,
  type NetworkMerchant,
} from './lookups.ts'
import { findMeals, type MealRow } from './store.ts'

/** The keys by which the card, the restaurant and the stored row of a transaction are found. */
export interface Clue {
  networkId: string
  cardToken: string
  locationId: string
}

/** Everything needed to match transactions. Matched member rows are locked until the transaction ends. */
export interface Known {
  meals: Map<string, MealRow>
  merchants: Map<string, NetworkMerchant[]>
  cards: Map<string, LinkedCard[]>
  members: Map<number, Standing>
  former: Map<number, FormerTier[]>
  /** The clues that these lookups cover. */
  clues: Set<string>
}

/** Returns everything needed to match transactions with these clues; queries only clues that `ahead` does not cover. */
export async function lookAround(tx: Tx, clues: readonly Clue[], ahead?: Known): Promise<Known> {
  if (!ahead) return lookFor(tx, clues)
  const missing = clues.filter((clue) => !ahead.clues.has(textOf(clue)))
  return missing.length === 0 ? ahead : together(ahead, await lookFor(tx, missing))
}

const textOf = ({ networkId, cardToken, locationId }: Clue) => `${networkId} ${cardToken} ${locationId}`

function together(a: Known, b: Known): Known {
  return {
    meals: new Map([...a.meals, ...b.meals]),
    merchants: new Map([...a.merchants, ...b.merchants]),
    cards: new Map([...a.cards, ...b.cards]),
    members: new Map([...a.members, ...b.members]),
    former: new Map([...a.former, ...b.former]),
    clues: new Set([...a.clues, ...b.clues]),
  }
}

// Started together: the queries are sent at once and run in this order, the locks first.
async function lookFor(tx: Tx, clues: readonly Clue[]): Promise<Known> {
  const ids = unique(clues.map(({ networkId }) => networkId))
  const tokens = unique(clues.map(({ cardToken }) => cardToken))
  const holders = holdersOf(tokens, ids)
  const [members, cards, former, merchants, meals] = await Promise.all([
    lockMembers(tx, holders),
    cardsByToken(tx, tokens),
    formerTiers(tx, holders),
    merchantsByNetworkId(tx, unique(clues.map(({ locationId }) => locationId))),
    findMeals(tx, ids),
  ])
  const known = { meals, merchants, cards, members, former, clues: new Set(clues.map(textOf)) }
  return isLocked(known) ? known : lookFor(tx, clues)
}

/** Returns whether all members found by the later queries were locked by the first: none was inserted in between. */
function isLocked({ members, cards, meals }: Known): boolean {
  const holders = [...cards.values()].flat().map(({ memberId }) => memberId)
  const guests = [...meals.values()].map(({ member_id }) => member_id)
  return [...holders, ...guests].every((id) => id === null || members.has(id))
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]
