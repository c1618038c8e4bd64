import { type RawBuilder, sql } from 'kysely'
import type { MemberEligibility } from '../../identity/members/service.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { TierLevel } from '../../programs/partners/contract.ts'

/** A member's former tier and its end. */
export interface FormerTier {
  tier: TierLevel
  until: Date
}

/** Returns former tiers of members, the oldest first. */
export async function findFormerTiers(
  tx: Db | Tx,
  memberIds: readonly number[] | RawBuilder<number[]>,
): Promise<Map<number, FormerTier[]>> {
  const rows = await tx
    .selectFrom('member_tiers')
    .select(['member_id', 'tier_level', 'until'])
    .where('member_id', '=', sql<number>`any(${memberIds})`)
    .orderBy('until')
    .orderBy('id')
    .execute()
  return new Map(
    [...Map.groupBy(rows, (row) => row.member_id)].map(([memberId, tiers]) => [
      memberId,
      tiers.map(({ tier_level, until }) => ({ tier: tier_level as TierLevel, until })),
    ]),
  )
}

/** Returns a member's tier at a moment: former, current, or scheduled by the VIP dates. */
export function tierAt(member: MemberEligibility, former: readonly FormerTier[], at: Date): TierLevel {
  const past = former.find(({ until }) => at < until)
  if (past) return past.tier
  const { vip_from: from, vip_until: until } = member
  const current = member.tier_level as TierLevel
  const day = at.toISOString().slice(0, 10)
  const isBelow = current === 'OptedIn' || current === 'OptedOut'
  if (isBelow && from !== null && until !== null && from <= day && day <= until) return 'VIP'
  if (current !== 'VIP' || until === null || until >= day) return current
  return member.email_opt_in ? 'OptedIn' : 'OptedOut'
}
