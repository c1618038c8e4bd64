import { type RawBuilder, sql } from 'kysely'
import { grantAbove, type MemberEligibility, type TierGrant } from '../../identity/members/service.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { dayIn } from '../../platform/time.ts'
import type { TierLevel } from '../../programs/partners/contract.ts'

/**
 * A member's former tier and its end. Where VIP began or ended by its dates, `lastDay` (`YYYY-MM-DD`) decides, on the
 * calendar of the restaurant: `until` is only when the change was recorded.
 */
export interface FormerTier {
  tier: TierLevel
  until: Date
  lastDay: string | null
}

/** Returns former tiers of members, the oldest first. */
export async function findFormerTiers(
  tx: Db | Tx,
  memberIds: readonly number[] | RawBuilder<number[]>,
): Promise<Map<number, FormerTier[]>> {
  const rows = await tx
    .selectFrom('member_tiers')
    .select(['member_id', 'tier_level', 'until', 'last_day'])
    .where('member_id', '=', sql<number>`any(${memberIds})`)
    .orderBy('until')
    .orderBy('id')
    .execute()
  return new Map(
    [...Map.groupBy(rows, (row) => row.member_id)].map(([memberId, tiers]) => [
      memberId,
      tiers.map(({ tier_level, until, last_day: lastDay }) => ({ tier: tier_level as TierLevel, until, lastDay })),
    ]),
  )
}

/**
 * Returns the tier that a member had earned at a moment: former, current, or scheduled by the VIP dates. The first and last day of VIP are
 * those of the restaurant, whose time zone is `timeZone`.
 */
export function tierAt(
  member: MemberEligibility,
  former: readonly FormerTier[],
  at: Date,
  timeZone: string,
): TierLevel {
  const day = dayIn(at, timeZone)
  const past = former.find(({ until, lastDay }) => (lastDay === null ? at < until : day <= lastDay))
  if (past) return past.tier
  const { vip_from: from, vip_until: until } = member
  const current = member.tier_level as TierLevel
  const isBelow = current === 'OptedIn' || current === 'OptedOut'
  if (isBelow && from !== null && until !== null && from <= day && day <= until) return 'VIP'
  if (current !== 'VIP' || until === null || until >= day) return current
  return member.email_opt_in ? 'OptedIn' : 'OptedOut'
}

/** The tier of a meal, and whether an operator gave it until a day. */
export interface TierOfMeal {
  tier: TierLevel
  granted?: true
}

/** Returns the tier at which a meal earns: the higher one of what the member had earned then and what was given. */
export function tierOfMeal(
  member: MemberEligibility,
  { former = [], grants = [] }: { former: readonly FormerTier[] | undefined; grants: readonly TierGrant[] | undefined },
  at: Date,
  timeZone: string,
): TierOfMeal {
  const earned = tierAt(member, former, at, timeZone)
  const grant = grantAbove(earned, grants, { at, day: dayIn(at, timeZone) })
  return grant ? { tier: grant.tier, granted: true } : { tier: earned }
}
