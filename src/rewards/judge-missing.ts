import { Refusal } from '../kit/refusal.ts'
import type { Ctx } from '../kit/server/context.ts'
import { instantOf, localMoment } from '../kit/time.ts'
import { memberRow } from '../members/service.ts'
import type { TierLevel } from '../partners/contract.ts'
import type { Why } from './contract.ts'
import { explain } from './explain.ts'
import { readTerms } from './feed/lookups.ts'
import { readFlexRate } from './flex-offers.ts'
import { programTerms } from './program-terms.ts'
import { decideAward } from './rules.ts'
import { monthOf } from './settle-meals.ts'
import { earlierVisits } from './store.ts'

/** Who pays at dinner time, when nobody knows the hour. */
const dinnerMinutes = 19 * 60

export interface MissedMeal {
  memberId: number
  /** The restaurant's public id. */
  merchantId: string
  /** The day on the restaurant's wall. */
  date: string
  cents: number
  cardLinkedAt: Date
}

/**
 * What a meal that nobody has seen would have earned, by the function that decides about those that were seen. Refusal
 * `merchantNotFound`.
 */
export async function judgeMissing(ctx: Ctx, missed: MissedMeal): Promise<{ benefit: number; reason: Why }> {
  const { config } = ctx.program
  const merchant = await readTerms(ctx.db, 'public_id', missed.merchantId)
  const member = await memberRow(ctx.db, missed.memberId)
  if (!merchant || !member) throw new Refusal('merchantNotFound')
  const { timeZone } = merchant.terms
  const dinedAt = instantOf(missed.date, dinnerMinutes, timeZone) ?? new Date(`${missed.date}T19:00:00Z`)
  const tier = member.tier_level as TierLevel
  const { memberId } = missed
  const decision = decideAward({
    stage: 'cleared',
    currency: 'USD',
    cents: missed.cents,
    refundedCents: 0,
    dinedAt: dinedAt.toISOString(),
    earlierVisits: await earlierVisits(ctx.db, {
      memberId,
      merchantId: merchant.id,
      month: monthOf(dinedAt, timeZone),
      timeZone,
      before: dinedAt,
    }),
    flexRate: config.hasFlexOffers
      ? await readFlexRate(ctx.db, { merchantId: merchant.id, tier, date: localMoment(dinedAt, timeZone).date })
      : 0,
    program: programTerms(config),
    member: { tier, open: true, cardLinkedAt: missed.cardLinkedAt.toISOString() },
    merchant: merchant.terms,
  })
  const { benefit, awardStatus, reason } = decision
  return { benefit, reason: explain(config, { reason, merchantName: merchant.name, benefit, awardStatus }) }
}
