import type { MemberRow } from '../../identity/members/service.ts'
import type { Db } from '../../platform/database/db.ts'
import { localMoment } from '../../platform/time.ts'
import type { ProgramConfig, TierLevel } from '../../programs/partners/contract.ts'
import { readFlexRate } from '../awards/flex-offers.ts'
import { formerTiers, tierOf } from '../awards/lookups.ts'
import { programTerms } from '../awards/program-terms.ts'
import { monthOf } from '../awards/settle-meals.ts'
import { usedOfMonth } from '../awards/store.ts'
import type { Dinner, MerchantTerms } from '../earning/terms.ts'

export interface ImaginedMeal {
  merchant: { id: number; terms: MerchantTerms }
  /** The member; a tier for an anonymous visitor. */
  guest: MemberRow | TierLevel
  /** When the paying card was linked. */
  cardLinkedAt: Date
  dinedAt: Date
  cents: number
  pinDebit?: boolean
}

/**
 * Returns a hypothetical transaction with all inputs of an award, so that `decideAward` can be applied to it as to a
 * real one.
 */
export async function imagineMeal(db: Db, config: ProgramConfig, meal: ImaginedMeal): Promise<Dinner> {
  const { merchant, guest, dinedAt } = meal
  const { timeZone } = merchant.terms
  const { date } = localMoment(dinedAt, timeZone)
  const isKnown = typeof guest !== 'string'
  const tier = isKnown ? tierOf(guest, (await formerTiers(db, [guest.id])).get(guest.id) ?? [], dinedAt) : guest
  const used = isKnown
    ? await usedOfMonth(db, {
        memberId: guest.id,
        merchantId: merchant.id,
        month: monthOf(dinedAt, timeZone),
        timeZone,
        before: dinedAt,
      })
    : { visits: 0, countedCents: 0 }
  const flexRate = config.hasFlexOffers ? await readFlexRate(db, { merchantId: merchant.id, tier, date }) : 0
  return {
    stage: 'cleared',
    currency: 'USD',
    cents: meal.cents,
    refundedCents: 0,
    ...(meal.pinDebit && { pinDebit: true }),
    dinedAt: dinedAt.toISOString(),
    earlierVisits: used.visits,
    ...(used.countedCents > 0 && { earlierCountedCents: used.countedCents }),
    ...(flexRate > 0 && { flexRate }),
    program: programTerms(config, date),
    member: { tier, open: !isKnown || isOpen(guest), cardLinkedAt: meal.cardLinkedAt.toISOString() },
    merchant: merchant.terms,
  }
}

function isOpen({ member_type: type, active }: MemberRow): boolean {
  // A member without a linked card queries what one would earn.
  return type === 'NonCardMember' || (active && type !== 'ClosedAccountMember')
}
