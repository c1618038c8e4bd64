import type { MemberRow } from '../../identity/members/service.ts'
import type { Db } from '../../platform/database/db.ts'
import { localMoment } from '../../platform/time.ts'
import type { ProgramConfig, TierLevel } from '../../programs/partners/contract.ts'
import { monthOf } from '../awards/decide-awards.ts'
import { getFlexRate } from '../awards/flex-offers.ts'
import { findFormerTiers, tierAt } from '../awards/match-lookups.ts'
import { programTerms } from '../awards/program-terms.ts'
import { getMonthlyUsage } from '../awards/store.ts'
import type { AwardInput, MerchantTerms } from '../earning/terms.ts'

export interface HypotheticalTransaction {
  merchant: { id: number; terms: MerchantTerms }
  /** The member; a tier for an anonymous visitor. */
  memberOrTier: MemberRow | TierLevel
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
export async function buildHypotheticalInput(
  db: Db,
  config: ProgramConfig,
  transaction: HypotheticalTransaction,
): Promise<AwardInput> {
  const { merchant, memberOrTier, dinedAt } = transaction
  const { timeZone } = merchant.terms
  const { date } = localMoment(dinedAt, timeZone)
  const isKnown = typeof memberOrTier !== 'string'
  const tier = isKnown
    ? tierAt(memberOrTier, (await findFormerTiers(db, [memberOrTier.id])).get(memberOrTier.id) ?? [], dinedAt)
    : memberOrTier
  const used = isKnown
    ? await getMonthlyUsage(db, {
        memberId: memberOrTier.id,
        merchantId: merchant.id,
        month: monthOf(dinedAt, timeZone),
        timeZone,
        before: dinedAt,
      })
    : { visits: 0, countedCents: 0 }
  const flexRate = config.hasFlexOffers ? await getFlexRate(db, { merchantId: merchant.id, tier, date }) : 0
  return {
    stage: 'cleared',
    currency: 'USD',
    cents: transaction.cents,
    refundedCents: 0,
    ...(transaction.pinDebit && { pinDebit: true }),
    dinedAt: dinedAt.toISOString(),
    earlierVisits: used.visits,
    ...(used.countedCents > 0 && { earlierCountedCents: used.countedCents }),
    ...(flexRate > 0 && { flexRate }),
    program: programTerms(config, date),
    member: { tier, open: !isKnown || isOpen(memberOrTier), cardLinkedAt: transaction.cardLinkedAt.toISOString() },
    merchant: merchant.terms,
  }
}

function isOpen({ member_type: type, active }: MemberRow): boolean {
  // A member without a linked card queries what one would earn.
  return type === 'NonCardMember' || (active && type !== 'ClosedAccountMember')
}
