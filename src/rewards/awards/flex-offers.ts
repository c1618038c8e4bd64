import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { TierLevel } from '../../programs/partners/contract.ts'

/** Returns a personal offer's addition to a tier's rate at a restaurant on a local date, per 100 dollars; else 0. */
export async function getFlexRate(
  db: Db | Tx,
  at: { merchantId: number; tier: TierLevel; date: string },
): Promise<number> {
  return (await findFlexOffer(db, at))?.extraRate ?? 0
}

/** Returns the best personal offer for a tier at a restaurant on a local date. */
export async function findFlexOffer(
  db: Db | Tx,
  { merchantId, tier, date }: { merchantId: number; tier: TierLevel; date: string },
) {
  return db
    .selectFrom('flex_offers')
    .select(['public_id as publicId', 'extra_rate as extraRate'])
    .where('partner_id', '=', sql<string>`current_partner()`)
    .where('merchant_id', '=', merchantId)
    .where(sql<string>`${tier}`, '=', sql<string>`any(tiers)`)
    .where('starts_on', '<=', date)
    .where((where) => where.or([where('ends_on', 'is', null), where('ends_on', '>=', date)]))
    .orderBy('extra_rate', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export interface FlexTerms {
  merchantId: number
  tiers: string[]
  extraRate: number
  startsOn: string
  endsOn: string | null
}

/** Returns every personal offer of the restaurants in an SQL array. */
export async function listFlexTerms(tx: Tx, merchantIds: RawBuilder<number[]>): Promise<FlexTerms[]> {
  return tx
    .selectFrom('flex_offers')
    .select([
      'merchant_id as merchantId',
      'tiers',
      'extra_rate as extraRate',
      'starts_on as startsOn',
      'ends_on as endsOn',
    ])
    .where('partner_id', '=', sql<string>`current_partner()`)
    .where('merchant_id', '=', sql<number>`any(${merchantIds})`)
    .execute()
}

/** Returns the best rate for a tier at a restaurant on a local date; 0 without one. */
export function flexRateOf(
  offers: readonly FlexTerms[],
  { merchantId, tier, date }: { merchantId: number; tier: TierLevel; date: string },
): number {
  const rates = offers
    .filter((offer) => offer.merchantId === merchantId && offer.tiers.includes(tier))
    .filter(({ startsOn, endsOn }) => startsOn <= date && (endsOn === null || date <= endsOn))
  return Math.max(0, ...rates.map(({ extraRate }) => extraRate))
}
