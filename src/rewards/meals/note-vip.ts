import type { Ctx } from '../../kit/server/context.ts'
import type { Tx } from '../../kit/server/db.ts'
import { addDays } from '../../kit/time.ts'
import { beginVip, dropVip, turnVip, type VipYear } from '../../members/service.ts'
import { hasReachedVip, type MemberYear, readYears } from '../answers/dining-progress.ts'

/**
 * Notes who has reached VIP in a year, or no longer has: it begins on the day after and ends with the year that
 * follows. Who is VIP already stays so until then, whatever is refunded. The caller holds the locks of the members.
 */
export async function noteVip(tx: Tx, ctx: Ctx, memberIds: readonly number[]): Promise<void> {
  const { config } = ctx.program
  if (!config.hasVIP) return
  const today = ctx.now().toISOString().slice(0, 10)
  const year = Number(today.slice(0, 4))
  // In January the last meals of December are still being charged.
  const years = today.slice(5, 7) === '01' ? [year - 1, year] : [year]
  const reached = new Map<number, VipYear>()
  const noted = new Map<number, MemberYear>()
  for (const each of years) {
    for (const [memberId, eaten] of await readYears(tx, memberIds, each)) {
      noted.set(memberId, eaten)
      if (hasReachedVip(config, eaten)) reached.set(memberId, { memberId, until: `${each + 1}-12-31` })
    }
  }
  const isNews = ({ memberId, until }: VipYear) => (noted.get(memberId)?.vipUntil ?? '') < until
  await beginVip(tx, [...reached.values()].filter(isNews), addDays(today, 1))
  const hasNotBegun = (id: number) => (noted.get(id)?.vipFrom ?? '') > today
  await dropVip(
    tx,
    memberIds.filter((id) => !reached.has(id) && hasNotBegun(id)),
    today,
  )
}

/** Raises those whose VIP begins, and ends it for those whose time is over. Any number of processes may do so at once. */
export async function keepVip(ctx: Ctx): Promise<void> {
  if (ctx.program.config.hasVIP) await turnVip(ctx.db, ctx.now().toISOString().slice(0, 10))
}
