import { type RawBuilder, sql } from 'kysely'
import { findTierGrants, lockMembers, type MemberEligibility, type TierGrant } from '../../identity/members/service.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { ProgramConfig } from '../../programs/partners/contract.ts'
import { findMerchantsByNetworkId, type NetworkMerchant } from './current-terms.ts'
import { type FlexTerms, listFlexTerms } from './flex-offers.ts'
import { findTransactions, type TransactionRow } from './store.ts'
import { type FormerTier, findFormerTiers } from './tier-history.ts'

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
  /** Tiers that operators gave until a day. */
  grants: Map<number, TierGrant[]>
  /** Personal offers of the restaurants; empty in programs without. */
  flexOffers: FlexTerms[]
  /** The ids, cards and locations that these lookups cover. */
  keys: Set<string>
}

/** Returns everything needed to match transactions with these keys; queries only keys that `prefetched` lacks. */
export async function loadMatchContext(
  tx: Tx,
  config: ProgramConfig,
  keys: readonly MatchKey[],
  prefetched?: MatchContext,
): Promise<MatchContext> {
  if (!prefetched) return queryMatchContext(tx, config, keys)
  const missing = keys.filter((key) => !keyTexts(key).every((text) => prefetched.keys.has(text)))
  return missing.length === 0 ? prefetched : mergeContexts(prefetched, await queryMatchContext(tx, config, missing))
}

/** Returns a text for each of the three lookups: each depends on its own part of the key only. */
function keyTexts({ networkId, cardToken, locationId }: MatchKey): string[] {
  return [`id ${networkId}`, `card ${cardToken}`, `location ${locationId}`]
}

function mergeContexts(a: MatchContext, b: MatchContext): MatchContext {
  return {
    transactions: new Map([...a.transactions, ...b.transactions]),
    merchants: new Map([...a.merchants, ...b.merchants]),
    cards: new Map([...a.cards, ...b.cards]),
    members: new Map([...a.members, ...b.members]),
    former: new Map([...a.former, ...b.former]),
    grants: new Map([...a.grants, ...b.grants]),
    flexOffers: [...a.flexOffers, ...b.flexOffers],
    keys: new Set([...a.keys, ...b.keys]),
  }
}

// Started together: the queries are sent at once and run in this order, the locks first.
async function queryMatchContext(tx: Tx, config: ProgramConfig, keys: readonly MatchKey[]): Promise<MatchContext> {
  const ids = unique(keys.map(({ networkId }) => networkId))
  const tokens = unique(keys.map(({ cardToken }) => cardToken))
  const locations = unique(keys.map(({ locationId }) => locationId))
  const holders = matchedMemberIds(tokens, ids)
  const [members, cards, former, grants, merchants, transactions, flexOffers] = await Promise.all([
    lockMembers(tx, holders),
    findCardsByToken(tx, tokens),
    findFormerTiers(tx, holders),
    findTierGrants(tx, holders),
    findMerchantsByNetworkId(tx, locations),
    findTransactions(tx, ids),
    config.hasFlexOffers ? listFlexTerms(tx, matchedMerchantIds(locations, ids)) : [],
  ])
  const found = { transactions, merchants, cards, members, former, grants, flexOffers }
  const context = { ...found, keys: new Set(keys.flatMap(keyTexts)) }
  return isLocked(context) ? context : queryMatchContext(tx, config, keys)
}

/** Returns whether all members found by the later queries were locked by the first: none was inserted in between. */
function isLocked({ members, cards, transactions }: MatchContext): boolean {
  const holders = [...cards.values()].flat().map(({ memberId }) => memberId)
  const memberIds = [...transactions.values()].map(({ member_id }) => member_id)
  return [...holders, ...memberIds].every((id) => id === null || members.has(id))
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]

interface LinkedCard {
  id: number
  memberId: number
  linkedAt: Date
  removedAt: Date | null
}

/**
 * Returns every link of the cards with these tokens, including removed ones: a card may be linked again. A token may be
 * one that an operator has attached to a card.
 */
async function findCardsByToken(tx: Tx, tokens: readonly string[]): Promise<Map<string, LinkedCard[]>> {
  const { rows } = await sql<LinkedCard & { token: string }>`
    select id, token, member_id as "memberId", linked_at as "linkedAt", removed_at as "removedAt"
    from cards where partner_id = current_partner() and token = any(${tokens})
    union all
    select c.id, k.token, c.member_id, c.linked_at, c.removed_at
    from card_tokens k join cards c on c.id = k.card_id
    where k.partner_id = current_partner() and k.token = any(${tokens})`.execute(tx)
  return Map.groupBy(rows, ({ token }) => token)
}

/** Returns the member who has linked the card with a token. */
export async function findHolder(tx: Tx, token: string): Promise<number | undefined> {
  const row = await tx
    .selectFrom('cards')
    .select('member_id')
    .where('partner_id', '=', sql<string>`current_partner()`)
    .where('token', '=', token)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return row?.member_id
}

/** Returns an SQL array of the members who have these cards or these transactions. */
function matchedMemberIds(tokens: readonly string[], networkIds: readonly string[]): RawBuilder<number[]> {
  return sql<number[]>`array(
    select member_id from cards where partner_id = current_partner() and token = any(${tokens})
    union
    select c.member_id from card_tokens k join cards c on c.id = k.card_id
    where k.partner_id = current_partner() and k.token = any(${tokens})
    union
    select member_id from transactions where partner_id = current_partner() and network_id = any(${networkIds})
  )`
}

/** Returns an SQL array of the restaurants that these locations or these transactions have. */
function matchedMerchantIds(locationIds: readonly string[], networkIds: readonly string[]): RawBuilder<number[]> {
  return sql<number[]>`array(
    select merchant_id from merchant_network_ids where network_id = any(${locationIds})
    union
    select merchant_id from transactions where partner_id = current_partner() and network_id = any(${networkIds})
  )`
}

/**
 * Returns the link that a transaction belongs to: the one active at the time of payment, else the first later one
 * (which earns nothing, and the member is notified why). A card removed before the transaction has no member.
 */
export function cardAt(cards: readonly LinkedCard[], dinedAt: Date): LinkedCard | undefined {
  const inOrder = cards.toSorted((a, b) => a.linkedAt.getTime() - b.linkedAt.getTime() || a.id - b.id)
  const active = inOrder.findLast((card) => card.linkedAt <= dinedAt && (!card.removedAt || dinedAt < card.removedAt))
  return active ?? inOrder.find((card) => card.linkedAt > dinedAt)
}

/** Returns which of these names, in lower case, belong to participating restaurants. */
export async function findParticipatingNames(tx: Tx, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set()
  const { rows } = await sql<{ name: string }>`
    select distinct lower(name) as name from merchants
    where participating and lower(name) = any(${names})`.execute(tx)
  return new Set(rows.map(({ name }) => name))
}
