import type { Db } from '../../kit/server/db.ts'
import { localMoment } from '../../kit/time.ts'
import type { MemberRow } from '../../members/service.ts'
import type { ProgramConfig, TierLevel } from '../../partners/contract.ts'
import { readFlexRate } from '../meals/flex-offers.ts'
import { formerTiers, tierOf } from '../meals/lookups.ts'
import { programTerms } from '../meals/program-terms.ts'
import { monthOf } from '../meals/settle-meals.ts'
import { usedOfMonth } from '../store.ts'
import type { Dinner, MerchantTerms } from '../terms.ts'

export interface ImaginedMeal {
  merchant: { id: number; terms: MerchantTerms }
  /** Who would eat it; a tier stands for somebody who is not known. */
  guest: MemberRow | TierLevel
  /** When the card that pays was linked. */
  cardLinkedAt: Date
  dinedAt: Date
  cents: number
  pinDebit?: boolean
}

/**
 * A meal that no network has told of, with everything that would decide about it if one did: what is put to the
 * function that decides about those that were eaten.
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
  // Who has not linked a card yet is asking what one would earn.
  return type === 'NonCardMember' || (active && type !== 'ClosedAccountMember')
}
