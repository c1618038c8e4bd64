import { lockMembers, type MemberEligibility } from '../../identity/members/service.ts'
import type { Tx } from '../../platform/database/db.ts'
import {
  type FormerTier,
  findCardsByToken,
  findFormerTiers,
  findMerchantsByNetworkId,
  type LinkedCard,
  matchedMemberIds,
  type NetworkMerchant,
} from './match-lookups.ts'
import { findTransactions, type TransactionRow } from './store.ts'

/** The keys by which the card, the restaurant and the stored row of a transaction are found. */
export interface MatchKey {
  networkId: string
  cardToken: string
  locationId: string
}

/** Everything needed to match transactions. Matched member rows are locked until the transaction ends. */
export interface MatchContext {
  transactions: Map<string, TransactionRow>
  merchants: Map<string, NetworkMerchant[]>
  cards: Map<string, LinkedCard[]>
  members: Map<number, MemberEligibility>
  former: Map<number, FormerTier[]>
  /** The clues that these lookups cover. */
  keys: Set<string>
}

/** Returns everything needed to match transactions with these clues; queries only clues that `ahead` does not cover. */
export async function loadMatchContext(
  tx: Tx,
  keys: readonly MatchKey[],
  prefetched?: MatchContext,
): Promise<MatchContext> {
  if (!prefetched) return queryMatchContext(tx, keys)
  const missing = keys.filter((key) => !prefetched.keys.has(keyText(key)))
  return missing.length === 0 ? prefetched : mergeContexts(prefetched, await queryMatchContext(tx, missing))
}

const keyText = ({ networkId, cardToken, locationId }: MatchKey) => `${networkId} ${cardToken} ${locationId}`

function mergeContexts(a: MatchContext, b: MatchContext): MatchContext {
  return {
    transactions: new Map([...a.transactions, ...b.transactions]),
    merchants: new Map([...a.merchants, ...b.merchants]),
    cards: new Map([...a.cards, ...b.cards]),
    members: new Map([...a.members, ...b.members]),
    former: new Map([...a.former, ...b.former]),
    keys: new Set([...a.keys, ...b.keys]),
  }
}

// Started together: the queries are sent at once and run in this order, the locks first.
async function queryMatchContext(tx: Tx, keys: readonly MatchKey[]): Promise<MatchContext> {
  const ids = unique(keys.map(({ networkId }) => networkId))
  const tokens = unique(keys.map(({ cardToken }) => cardToken))
  const holders = matchedMemberIds(tokens, ids)
  const [members, cards, former, merchants, transactions] = await Promise.all([
    lockMembers(tx, holders),
    findCardsByToken(tx, tokens),
    findFormerTiers(tx, holders),
    findMerchantsByNetworkId(tx, unique(keys.map(({ locationId }) => locationId))),
    findTransactions(tx, ids),
  ])
  const context = { transactions, merchants, cards, members, former, keys: new Set(keys.map(keyText)) }
  return isLocked(context) ? context : queryMatchContext(tx, keys)
}

/** Returns whether all members found by the later queries were locked by the first: none was inserted in between. */
function isLocked({ members, cards, transactions }: MatchContext): boolean {
  const holders = [...cards.values()].flat().map(({ memberId }) => memberId)
  const memberIds = [...transactions.values()].map(({ member_id }) => member_id)
  return [...holders, ...memberIds].every((id) => id === null || members.has(id))
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]
