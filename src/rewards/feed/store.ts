import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { insertRows, rowSource } from '../../platform/database/rows.ts'
import type { FeedEvent } from './contract.ts'
import { type FeedMessage, isRefundMessage, updatedAt } from './message.ts'

// Row-level security restricts to the partner; naming it lets the planner use the indexes that start with it.
const ownPartner = sql<string>`current_partner()`

export interface NewMessage {
  parsed: FeedMessage | null
  event: FeedEvent
  outcome: 'applied' | 'unmatched' | 'ignored'
}

const messageColumns = {
  event: 'text',
  updated_at: 'timestamptz',
  network_id: 'text',
  related_id: 'text',
  card_token: 'text',
  is_refund: 'boolean',
  body: 'json',
  outcome: 'text',
}

export async function insertMessages(tx: Tx, messages: readonly NewMessage[]): Promise<void> {
  const rows = messages.map(({ parsed, event, outcome }) => ({
    event: event.event,
    updated_at: new Date(updatedAt(event)),
    network_id: event.transaction.id,
    related_id: parsed?.relatedId ?? null,
    card_token: event.transaction.card.id,
    is_refund: parsed !== null && isRefundMessage(parsed),
    body: event,
    outcome,
  }))
  await insertRows(tx, 'feed_messages', messageColumns, rows)
}

export interface StoredMessage {
  networkId: string
  relatedId: string | null
  /** The message has no effect. */
  isIgnored: boolean
  event: FeedEvent
}

/** Returns stored messages about these transactions or naming them; those that do both are returned twice. */
export async function listMessagesAbout(tx: Db | Tx, networkIds: readonly string[]): Promise<StoredMessage[]> {
  const { rows } = await sql<StoredMessage>`
    select network_id as "networkId", related_id as "relatedId", outcome = 'ignored' as "isIgnored", body as event
    from feed_messages where partner_id = ${ownPartner} and network_id = any(${networkIds})
    union all
    select network_id, related_id, outcome = 'ignored', body
    from feed_messages where partner_id = ${ownPartner} and related_id is not null and related_id = any(${networkIds})
    `.execute(tx)
  return rows
}

/** A card and the authorization code of a message. */
export interface CardCode {
  cardToken: string
  authCode: string
}

const cardCodeColumns = { cardToken: 'text', authCode: 'text' }

/** Returns stored messages with the same card and authorization code. */
export async function listMessagesWithCodes(tx: Db | Tx, codes: readonly CardCode[]): Promise<StoredMessage[]> {
  if (codes.length === 0) return []
  const { rows } = await sql<StoredMessage>`
    select f.network_id as "networkId", f.related_id as "relatedId", f.outcome = 'ignored' as "isIgnored", f.body as event
    from ${rowSource(codes, cardCodeColumns)}
    join feed_messages f on f.partner_id = ${ownPartner}
      and f.card_token = fresh."cardToken" and f.auth_code = fresh."authCode"`.execute(tx)
  return rows
}

/** Returns refunds by these cards that name no purchase. */
export async function listUnlinkedRefunds(tx: Db | Tx, tokens: readonly string[]): Promise<FeedEvent[]> {
  if (tokens.length === 0) return []
  const { rows } = await sql<{ event: FeedEvent }>`
    select body as event from feed_messages
    where partner_id = ${ownPartner} and is_refund and related_id is null and card_token = any(${tokens})`.execute(tx)
  return rows.map(({ event }) => event)
}

const visitColumns = { cardToken: 'text', locationId: 'text' }

/** Returns the transactions by a card at a location of the network. */
export async function listNetworkIdsOfVisits(
  tx: Db | Tx,
  visits: readonly { cardToken: string; locationId: string }[],
): Promise<string[]> {
  if (visits.length === 0) return []
  const { rows } = await sql<{ networkId: string }>`
    select t.network_id as "networkId"
    from ${rowSource(visits, visitColumns)}
    join transactions t on t.partner_id = ${ownPartner}
      and t.card_token = fresh."cardToken" and t.network_location_id = fresh."locationId"`.execute(tx)
  return rows.map(({ networkId }) => networkId)
}

/** Returns, for each of these network ids of restaurants, all ids that its restaurants have had. */
export async function listIdsOfSameRestaurants(
  tx: Db | Tx,
  locationIds: readonly string[],
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ id: string; other: string }>`
    select distinct n.network_id as id, o.network_id as other
    from merchant_network_ids n join merchant_network_ids o on o.merchant_id = n.merchant_id
    where n.network_id = any(${locationIds})`.execute(tx)
  return new Map([...Map.groupBy(rows, ({ id }) => id)].map(([id, others]) => [id, others.map(({ other }) => other)]))
}

/** Returns network ids of transactions that wait for this card to be linked, or this location to be a restaurant. */
export async function listUnmatchedNetworkIds(
  tx: Tx,
  waiting: { cardToken: string } | { locationId: string },
): Promise<string[]> {
  const rows = await tx
    .selectFrom('transactions')
    .select('network_id')
    .where('partner_id', '=', ownPartner)
    .$call((query) =>
      'cardToken' in waiting
        ? query.where('unmatched', '=', 'card').where('card_token', '=', waiting.cardToken)
        : query.where('unmatched', '=', 'merchant').where('network_location_id', '=', waiting.locationId),
    )
    .orderBy('occurred_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => row.network_id)
}

/** Returns locations that transactions wait for and that have become restaurants. */
export async function listJoinedLocations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct t.network_location_id as id
    from transactions t
      join merchant_network_ids n on n.network_id = t.network_location_id
      join merchants m on m.id = n.merchant_id
    where t.partner_id = ${ownPartner} and t.unmatched = 'merchant'
      and n.since <= (t.occurred_at at time zone m.time_zone)::date
    limit 100`.execute(db)
  return rows.map(({ id }) => id)
}
