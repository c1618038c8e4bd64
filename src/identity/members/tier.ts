import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import type { TierLevel } from '../../programs/partners/contract.ts'
import { tierNumber } from '../../programs/partners/rates.ts'
import { dayOf } from '../../programs/partners/rules.ts'
import type { MemberRow } from './store.ts'

/** A tier that an operator gave a member until a day. */
export interface TierGrant {
  publicId: string
  tier: TierLevel
  givenAt: Date
  givenBy: string
  /** `YYYY-MM-DD`, inclusive. */
  lastDay: string
  /** When an operator ended it before its last day. */
  endedAt: Date | null
}

/**
 * Returns the grant that counts at a moment of a local day beside the tier that was earned; undefined where none is higher.
 * This is the one place that decides it, for meals and for what members see.
 */
export function grantAbove(
  earned: TierLevel,
  grants: readonly TierGrant[],
  { at, day }: { at: Date; day: string },
): TierGrant | undefined {
  return grants
    .filter(({ givenAt, lastDay, endedAt }) => givenAt <= at && day <= lastDay && (endedAt === null || at < endedAt))
    .filter(({ tier }) => tierNumber(tier) > tierNumber(earned))
    .toSorted((a, b) => tierNumber(b.tier) - tierNumber(a.tier) || (a.lastDay < b.lastDay ? 1 : -1))[0]
}

/** Returns what operators gave these members, also what is over. */
export async function findTierGrants(
  db: Db | Tx,
  memberIds: readonly number[] | RawBuilder<number[]>,
): Promise<Map<number, TierGrant[]>> {
  const { rows } = await sql<TierGrant & { memberId: number }>`
    select member_id as "memberId", public_id as "publicId", tier_level as tier, given_at as "givenAt",
      given_by as "givenBy", last_day as "lastDay", ended_at as "endedAt"
    from tier_grants where member_id = any(${memberIds}) order by id`.execute(db)
  return Map.groupBy(rows, ({ memberId }) => memberId)
}

/** The tier of a member now: the higher one of what was earned and what was given. */
export interface CurrentTier {
  tier: TierLevel
  earned: TierLevel
  /** What was given, where it is higher than what was earned. */
  grant: TierGrant | undefined
}

/** Returns the tier of a member now. The last day of a given one is that of the program. */
export async function getCurrentTier(
  { db, program, now }: Pick<Ctx, 'program' | 'now'> & { db: Db | Tx },
  { id, tier_level }: Pick<MemberRow, 'id' | 'tier_level'>,
): Promise<CurrentTier> {
  const earned = tier_level as TierLevel
  const grants = (await findTierGrants(db, [id])).get(id) ?? []
  const grant = grantAbove(earned, grants, { at: now(), day: dayOf(program.config, now()) })
  return { tier: grant?.tier ?? earned, earned, grant }
}

export async function insertTierGrant(
  tx: Tx,
  grant: Pick<TierGrant, 'publicId' | 'tier' | 'givenAt' | 'givenBy' | 'lastDay'> & { memberId: number },
): Promise<void> {
  await tx
    .insertInto('tier_grants')
    .values({
      public_id: grant.publicId,
      member_id: grant.memberId,
      tier_level: grant.tier,
      given_at: grant.givenAt,
      given_by: grant.givenBy,
      last_day: grant.lastDay,
    })
    .execute()
}

/** Ends what operators gave a member and is not over. Returns whether there was anything. */
export async function endTierGrants(
  tx: Tx,
  { memberId, at, today, by }: { memberId: number; at: Date; today: string; by: string },
): Promise<boolean> {
  const ended = await tx
    .updateTable('tier_grants')
    .set({ ended_at: at, ended_by: by })
    .where('member_id', '=', memberId)
    .where('ended_at', 'is', null)
    .where('last_day', '>=', today)
    .returning('id')
    .execute()
  return ended.length > 0
}

/** Gives the kept account what operators gave the merged one. */
export async function moveTierGrants(tx: Tx, { from, to }: { from: number; to: number }): Promise<void> {
  await tx.updateTable('tier_grants').set({ member_id: to }).where('member_id', '=', from).execute()
}
