import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import { findMerchantsByNetworkId } from '../awards/current-terms.ts'
import type { FeedEvent } from './contract.ts'
import { foldMessages } from './fold.ts'
import { placesAmong } from './places.ts'
import { loadRelatedMessages } from './related-messages.ts'

export interface RawMessage {
  event: string
  networkId: string
  updatedAt: Date
  receivedAt: Date
  outcome: string
  body: FeedEvent
}

/** Returns the stored messages from which a transaction was folded, the first one first. */
export async function listMessagesOf(db: Db, networkId: string): Promise<RawMessage[]> {
  const { messages } = await loadRelatedMessages(db, [networkId], [])
  const merchants = await findMerchantsByNetworkId(
    db,
    messages.map(({ locationId }) => locationId),
  )
  const folded = foldMessages(messages, placesAmong(merchants)).find(({ purchaseIds }) =>
    purchaseIds.includes(networkId),
  )
  const ids = folded?.messageNetworkIds ?? [networkId]
  const { rows } = await sql<RawMessage>`
    select event, network_id as "networkId", updated_at as "updatedAt", received_at as "receivedAt", outcome, body
    from feed_messages where partner_id = current_partner() and network_id = any(${[...ids]})
    order by updated_at, event limit 200`.execute(db)
  return rows
}

const secretName = /token|secret|signature|cvv|cvc|pan$|pin|accountid|password/i

/** Returns a message for an operator: indented JSON in which the card's token and anything else secret is masked. */
export function maskedBody(body: FeedEvent): string {
  const { card } = body.transaction
  const shown = { ...body, transaction: { ...body.transaction, card: { ...card, id: mask(card.id) } } }
  return JSON.stringify(shown, (name, value) => (secretName.test(name) ? mask(value) : value), 2)
}

/** Enough of a token to tell two apart. */
const mask = (value: unknown) => (typeof value === 'string' && value.length > 12 ? `…${value.slice(-4)}` : '…')
