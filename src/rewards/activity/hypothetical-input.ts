import { sql } from 'kysely'
import { findTierGrants, type MemberRow } from '../../identity/members/service.ts'
import type { Db } from '../../platform/database/db.ts'
import { localMoment } from '../../platform/time.ts'
import type { ProgramConfig, TierLevel } from '../../programs/partners/contract.ts'
import { programTerms } from '../awards/current-terms.ts'
import { getFlexRate } from '../awards/flex-offers.ts'
import { findFormerTiers, type TierOfMeal, tierOfMeal } from '../awards/tier-history.ts'
import { monthOf } from '../earning/offers.ts'
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
 * Returns a hypothetical transaction with all inputs of an award, so that `computeAward` can be applied to it as to a
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
  const ofMeal = isKnown ? await findTierOfMeal(db, memberOrTier, dinedAt, timeZone) : { tier: memberOrTier }
  const { tier } = ofMeal
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
    member: { ...ofMeal, open: !isKnown || isOpen(memberOrTier), cardLinkedAt: transaction.cardLinkedAt.toISOString() },
    merchant: merchant.terms,
  }
}

async function findTierOfMeal(db: Db, member: MemberRow, at: Date, timeZone: string): Promise<TierOfMeal> {
  const { id } = member
  const [former, grants] = [await findFormerTiers(db, [id]), await findTierGrants(db, [id])]
  return tierOfMeal(member, { former: former.get(id), grants: grants.get(id) }, at, timeZone)
}

function isOpen({ member_type: type, active }: MemberRow): boolean {
  // A member without a linked card is shown what one would earn.
  return type === 'NonCardMember' || (active && type !== 'ClosedAccountMember')
}

/** Returns the used part of a member's month at a restaurant before a moment: rewarded visits and counted cents. */
async function getMonthlyUsage(
  db: Db,
  at: { memberId: number; merchantId: number; month: string; timeZone: string; before: Date },
): Promise<{ visits: number; countedCents: number }> {
  const { rows } = await sql<{ visits: number; countedCents: number }>`
    select count(*) as visits, coalesce(sum((reason ->> 'countedCents')::bigint), 0)::bigint as "countedCents"
    from transactions
    where member_id = ${at.memberId} and merchant_id = ${at.merchantId} and type_code = 'S' and benefit > 0
      and occurred_at < ${at.before} and to_char(occurred_at at time zone ${at.timeZone}, 'YYYY-MM') = ${at.month}`.execute(
    db,
  )
  return rows[0] ?? { visits: 0, countedCents: 0 }
}
