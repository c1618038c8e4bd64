import { sql } from 'kysely'
import type { Db, Tx } from '../../kit/server/db.ts'
import type { TierLevel } from '../../partners/contract.ts'
import { readFlexRate } from '../flex-offers.ts'
import type { MerchantTerms } from '../rules.ts'

export interface LinkedCard {
  id: number
  memberId: number
  linkedAt: Date
  removedAt: Date | null
}

export interface NetworkMerchant {
  id: number
  name: string
  terms: MerchantTerms
}

/** What the feed needs to know of cards and restaurants. */
export interface FeedLookups {
  /** Every linking of the card with this token, removed ones too: the same card may be linked again. */
  cardsByToken(tx: Tx, token: string): Promise<LinkedCard[]>
  merchantByLocation(tx: Tx, networkLocationId: string): Promise<NetworkMerchant | undefined>
  /** What a personal offer adds for a tier at a restaurant on a local date; 0 without one. */
  flexRate(tx: Tx, offer: { merchantId: number; tier: TierLevel; date: string }): Promise<number>
}

/**
 * The linking that a meal belongs to: the one in force when it was paid, else the first one made after it (which
 * earns nothing, and the member is told why). A card that was removed before the meal belongs to nobody.
 */
export function cardOfMeal(cards: readonly LinkedCard[], dinedAt: Date): LinkedCard | undefined {
  const inOrder = cards.toSorted((a, b) => a.linkedAt.getTime() - b.linkedAt.getTime() || a.id - b.id)
  const inForce = inOrder.findLast((card) => card.linkedAt <= dinedAt && (!card.removedAt || dinedAt < card.removedAt))
  return inForce ?? inOrder.find((card) => card.linkedAt > dinedAt)
}

/** The terms of one restaurant, by a condition that names it. */
export async function readTerms(
  db: Db | Tx,
  by: 'network_location_id' | 'public_id',
  id: string,
): Promise<NetworkMerchant | undefined> {
  const merchant = await db
    .selectFrom('merchants')
    .select(['id', 'name', 'time_zone', 'participating', 'joined_on', 'left_on', 'acclaimed_level'])
    .where(by, '=', id)
    .executeTakeFirst()
  if (!merchant) return undefined
  const offers = await db
    .selectFrom('merchant_offers')
    .selectAll()
    .where('merchant_id', '=', merchant.id)
    .orderBy('id')
    .execute()
  return {
    id: merchant.id,
    name: merchant.name,
    terms: {
      timeZone: merchant.time_zone,
      participating: merchant.participating,
      joinedOn: merchant.joined_on,
      leftOn: merchant.left_on,
      acclaimedLevel: merchant.acclaimed_level,
      offers: offers.map((offer) => ({
        id: offer.id,
        type: offer.type as 'Unlimited' | 'Limited',
        days: offer.days,
        startsOn: offer.starts_on,
        endsOn: offer.ends_on,
        maxSpendCents: offer.max_spend_cents,
        maxVisitsPerMonth: offer.max_visits_per_month,
        ratePercent: offer.rate_percent,
      })),
    },
  }
}

export const databaseLookups: FeedLookups = {
  cardsByToken(tx, token) {
    return tx
      .selectFrom('cards')
      .select(['id', 'member_id as memberId', 'linked_at as linkedAt', 'removed_at as removedAt'])
      .where('token', '=', token)
      .where('partner_id', '=', sql<string>`current_partner()`)
      .execute()
  },

  merchantByLocation: (tx, networkLocationId) => readTerms(tx, 'network_location_id', networkLocationId),

  flexRate: readFlexRate,
}
