import { sql } from 'kysely'
import { findBookableMerchant } from '../../dining/merchants/service.ts'
import { findMemberRow, getCurrentTier } from '../../identity/members/service.ts'
import { ApiError } from '../../platform/errors.ts'
import type { MemberCtx } from '../../platform/http/context.ts'
import { localMoment } from '../../platform/time.ts'
import { extraRateText } from '../../programs/partners/rates.ts'
import { findFlexOffer } from '../awards/flex-offers.ts'
import type { FlexOffer } from '../earning/contract.ts'

/**
 * Returns the signed-in member's personal offer at a restaurant, today. Throws error code `flexOfferNotFound` when
 * there is none, the program has none, or the id is another member's.
 */
export async function getMemberFlexOffer(
  ctx: MemberCtx,
  { merchantId, publicId: requestedId }: { merchantId: string; publicId: string },
): Promise<FlexOffer> {
  const { config } = ctx.program
  const member = await findMemberRow(ctx.db, ctx.actor.memberId)
  const merchant = await findBookableMerchant(ctx.db, merchantId)
  if (!config.hasFlexOffers || !merchant || member?.public_id !== requestedId) throw new ApiError('flexOfferNotFound')
  const { date } = localMoment(ctx.now(), merchant.timeZone)
  const { tier } = await getCurrentTier(ctx, member)
  const offer = await findFlexOffer(ctx.db, { merchantId: merchant.id, tier, date })
  if (!offer) throw new ApiError('flexOfferNotFound')
  return { id: offer.publicId, webMessageOfferAmount: extraRateText(config, offer.extraRate) }
}

/** Returns every personal offer of the signed-in member that is valid today at its restaurant. */
export async function listMemberFlexOffers(ctx: MemberCtx): Promise<(FlexOffer & { merchantId: string })[]> {
  const { config } = ctx.program
  const member = await findMemberRow(ctx.db, ctx.actor.memberId)
  if (!config.hasFlexOffers || !member) return []
  const { tier } = await getCurrentTier(ctx, member)
  const today = sql<string>`(${ctx.now()}::timestamptz at time zone merchants.time_zone)::date`
  const rows = await ctx.db
    .selectFrom('flex_offers')
    .innerJoin('merchants', 'merchants.id', 'flex_offers.merchant_id')
    .select(['flex_offers.public_id as publicId', 'merchants.public_id as merchantId', 'extra_rate as extraRate'])
    .where(sql<string>`${tier}`, '=', sql<string>`any(tiers)`)
    .where('starts_on', '<=', today)
    .where((where) => where.or([where('ends_on', 'is', null), where('ends_on', '>=', today)]))
    .execute()
  return rows.map(({ publicId, merchantId, extraRate }) => ({
    id: publicId,
    merchantId,
    webMessageOfferAmount: extraRateText(config, extraRate),
  }))
}
