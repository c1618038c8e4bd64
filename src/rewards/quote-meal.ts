import { centsFromDecimal } from '../kit/money.ts'
import { Refusal } from '../kit/refusal.ts'
import type { Ctx } from '../kit/server/context.ts'
import { instantOf, localMoment, minutesOf } from '../kit/time.ts'
import { memberRow } from '../members/service.ts'
import type { TierLevel } from '../partners/contract.ts'
import { bestTier } from '../partners/rates.ts'
import { promisedOn } from '../reservations/service.ts'
import type { MealQuote } from './contract.ts'
import { explain } from './explain.ts'
import { type NetworkMerchant, readTerms } from './feed/lookups.ts'
import { readFlexRate } from './flex-offers.ts'
import { programTerms } from './program-terms.ts'
import { type Dinner, decideAward, offersOfDay } from './rules.ts'
import { monthOf } from './settle-meals.ts'
import { earlierVisits, hasLinkedCard } from './store.ts'

export interface AskedMeal {
  merchantId: string
  /** Dollars, as decimal text. */
  amount: string
  date?: string | undefined
  time?: string | undefined
}

/**
 * What a meal would earn for whoever asks: decided by the very function that decides when it has been paid. A member
 * without a card is told what one would earn; a visitor, what the best tier earns. Refusal `merchantNotFound`.
 */
export async function quoteMeal(ctx: Ctx, asked: AskedMeal): Promise<MealQuote> {
  const { config } = ctx.program
  const merchant = await readTerms(ctx.db, 'public_id', asked.merchantId)
  if (!merchant || (!merchant.terms.participating && merchant.terms.leftOn === null))
    throw new Refusal('merchantNotFound')
  const dinedAt = momentOf(ctx, merchant, asked)
  const { date, weekday } = localMoment(dinedAt, merchant.terms.timeZone)
  const guest = await guestOf(ctx, merchant, dinedAt, date)
  const flexRate = config.hasFlexOffers
    ? await readFlexRate(ctx.db, { merchantId: merchant.id, tier: guest.tier, date })
    : 0
  const dinner: Dinner = {
    stage: 'cleared',
    currency: 'USD',
    cents: centsFromDecimal(asked.amount),
    refundedCents: 0,
    dinedAt: dinedAt.toISOString(),
    earlierVisits: guest.visits,
    flexRate,
    program: programTerms(config),
    member: { tier: guest.tier, open: true, cardLinkedAt: new Date(0).toISOString() },
    merchant: merchant.terms,
  }
  const { benefit, reason, awardStatus } = decideAward(dinner)
  const offer = offersOfDay(merchant.terms.offers, { date, weekday })[0]
  return {
    benefit,
    reason: explain(config, { reason, merchantName: merchant.name, benefit, awardStatus }),
    basis: guest.known ? 'member' : 'best',
    tier: guest.tier,
    ratePercent: offer?.ratePercent ?? 0,
    flexRate,
    countedCents: 'countedCents' in reason ? reason.countedCents : 0,
    visits: offer?.maxVisitsPerMonth ? { used: guest.visits, limit: offer.maxVisitsPerMonth } : null,
    bonus: benefit > 0 ? guest.bonus : 0,
    cardMissing: guest.known && !guest.hasCard,
  }
}

function momentOf(ctx: Ctx, { terms: { timeZone } }: NetworkMerchant, { date, time }: AskedMeal): Date {
  const now = localMoment(ctx.now(), timeZone)
  if (date === undefined && time === undefined) return ctx.now()
  const minutes = time === undefined ? 19 * 60 : minutesOf(time)
  // A time that spring leaves out is as good as the one an hour later.
  return instantOf(date ?? now.date, minutes, timeZone) ?? (instantOf(date ?? now.date, minutes + 60, timeZone) as Date)
}

interface Guest {
  known: boolean
  tier: TierLevel
  visits: number
  hasCard: boolean
  bonus: number
}

async function guestOf(ctx: Ctx, merchant: NetworkMerchant, dinedAt: Date, date: string): Promise<Guest> {
  const { memberId } = ctx.actor
  const member = memberId === null ? undefined : await memberRow(ctx.db, memberId)
  if (memberId === null || !member) {
    return { known: false, tier: bestTier(ctx.program.config), visits: 0, hasCard: false, bonus: 0 }
  }
  const month = monthOf(dinedAt, merchant.terms.timeZone)
  const at = { memberId, merchantId: merchant.id }
  const [visits, hasCard, promised] = await Promise.all([
    earlierVisits(ctx.db, { ...at, month, timeZone: merchant.terms.timeZone, before: dinedAt }),
    hasLinkedCard(ctx.db, memberId),
    promisedOn(ctx.db, { ...at, dates: [date] }),
  ])
  const bonus = promised[0]?.bonus.amount ?? 0
  return { known: true, tier: member.tier_level as TierLevel, visits, hasCard, bonus }
}
