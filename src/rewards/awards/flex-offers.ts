import { sql } from 'kysely'
import { findBookableMerchant } from '../../dining/merchants/service.ts'
import { findMemberRow } from '../../identity/members/service.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { publicId } from '../../platform/security/ids.ts'
import { localMoment } from '../../platform/time.ts'
import { type ProgramConfig, TierLevel } from '../../programs/partners/contract.ts'
import { extraRateText } from '../../programs/partners/rates.ts'
import type { FlexOffer } from '../earning/contract.ts'

/** Returns a personal offer's addition to a tier's rate at a restaurant on a local date, per 100 dollars; else 0. */
export async function getFlexRate(
  db: Db | Tx,
  at: { merchantId: number; tier: TierLevel; date: string },
): Promise<number> {
  return (await findFlexOffer(db, at))?.extraRate ?? 0
}

export interface FlexTerms {
  merchantId: number
  tiers: string[]
  extraRate: number
  startsOn: string
  endsOn: string | null
}

/** Returns every personal offer of these restaurants. */
export async function listFlexTerms(tx: Tx, merchantIds: readonly number[]): Promise<FlexTerms[]> {
  if (merchantIds.length === 0) return []
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

async function findFlexOffer(
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

/**
 * Returns the signed-in member's personal offer at a restaurant, today. Throws error code `flexOfferNotFound` when
 * there is none, the program has none, or the id is another member's.
 */
export async function getMemberFlexOffer(
  ctx: Ctx,
  { merchantId, publicId: requestedId }: { merchantId: string; publicId: string },
): Promise<FlexOffer> {
  const { config } = ctx.program
  const member = await findMemberRow(ctx.db, ctx.actor.memberId as number)
  const merchant = await findBookableMerchant(ctx.db, merchantId)
  if (!config.hasFlexOffers || !merchant || member?.public_id !== requestedId) throw new ApiError('flexOfferNotFound')
  const { date } = localMoment(ctx.now(), merchant.timeZone)
  const offer = await findFlexOffer(ctx.db, { merchantId: merchant.id, tier: member.tier_level as TierLevel, date })
  if (!offer) throw new ApiError('flexOfferNotFound')
  return { id: offer.publicId, webMessageOfferAmount: extraRateText(config, offer.extraRate) }
}

/** Returns every personal offer of the signed-in member that is valid today (UTC). */
export async function listMemberFlexOffers(ctx: Ctx): Promise<(FlexOffer & { merchantId: string })[]> {
  const { config } = ctx.program
  const member = await findMemberRow(ctx.db, ctx.actor.memberId as number)
  if (!config.hasFlexOffers || !member) return []
  const date = ctx.now().toISOString().slice(0, 10)
  const rows = await ctx.db
    .selectFrom('flex_offers')
    .innerJoin('merchants', 'merchants.id', 'flex_offers.merchant_id')
    .select(['flex_offers.public_id as publicId', 'merchants.public_id as merchantId', 'extra_rate as extraRate'])
    .where(sql<string>`${member.tier_level}`, '=', sql<string>`any(tiers)`)
    .where('starts_on', '<=', date)
    .where((where) => where.or([where('ends_on', 'is', null), where('ends_on', '>=', date)]))
    .execute()
  return rows.map(({ publicId, merchantId, extraRate }) => ({
    id: publicId,
    merchantId,
    webMessageOfferAmount: extraRateText(config, extraRate),
  }))
}

/** Inserts an offer at every seventh sample restaurant of a program with flex offers, once. Returns the number. */
export async function seedFlexOffers(db: Db, config: ProgramConfig): Promise<number> {
  if (!config.hasFlexOffers) return 0
  const existing = await db.selectFrom('flex_offers').select('id').limit(1).execute()
  if (existing.length > 0) return 0
  const merchants = await db
    .selectFrom('merchants')
    .select('id')
    .where('source', '=', 'seed')
    .where('participating', '=', true)
    .orderBy('id')
    .execute()
  const chosen = merchants.filter((_, index) => index % 7 === 3)
  if (chosen.length === 0) return 0
  const rows = chosen.map(({ id }, index) => ({
    public_id: publicId(),
    merchant_id: id,
    tiers: index % 2 === 0 ? TierLevel.options : ['OptedIn', 'VIP'],
    extra_rate: 100 * (1 + (index % 5)),
    starts_on: '2026-01-01',
  }))
  await db.insertInto('flex_offers').values(rows).execute()
  return rows.length
}
