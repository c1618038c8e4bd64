import { beginVip, dropVip, shortenVip, turnVip, type VipYear } from '../../identity/members/service.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { addDays } from '../../platform/time.ts'
import { hasReachedVip, type MemberYear, readYears } from './dining-progress.ts'

/**
 * Schedules VIP for members who reached it in a year: from the next day to the end of the following year. A scheduled
 * VIP is dropped when its year is no longer reached. An active one ends after a refund: for members in `lowered`, whose
 * transactions have just lost rewards, VIP lasts only as long as a year that is still reached gives. VIP assigned by an
 * operator has no end, and stays. The caller holds the locks of the members.
 */
export async function noteVip(
  tx: Tx,
  ctx: Ctx,
  memberIds: readonly number[],
  lowered: ReadonlySet<number> = new Set(),
): Promise<void> {
  const { config } = ctx.program
  if (!config.hasVIP) return
  const today = ctx.now().toISOString().slice(0, 10)
  const year = Number(today.slice(0, 4))
  // In January, the last transactions of December are still clearing.
  const isJanuary = today.slice(5, 7) === '01'
  const current = await readYears(tx, memberIds, year)
  const former = await readYears(tx, isJanuary ? memberIds : [...lowered], year - 1)
  const reached = new Map<number, VipYear>()
  const keepReached = (years: ReadonlyMap<number, MemberYear>, until: string) => {
    for (const [memberId, eaten] of years) if (hasReachedVip(config, eaten)) reached.set(memberId, { memberId, until })
  }
  keepReached(former, `${year}-12-31`)
  keepReached(current, `${year + 1}-12-31`)
  const isNews = ({ memberId, until }: VipYear) => (current.get(memberId)?.vipUntil ?? '') < until
  // After January, last year's transactions start no VIP; they only decide whether an active one stays.
  const mayBegin = ({ until }: VipYear) => isJanuary || until > `${year}-12-31`
  await beginVip(
    tx,
    [...reached.values()].filter((each) => isNews(each) && mayBegin(each)),
    addDays(today, 1),
  )
  const hasNotBegun = (id: number) => (current.get(id)?.vipFrom ?? '') > today
  await dropVip(
    tx,
    memberIds.filter((id) => !reached.has(id) && hasNotBegun(id)),
    today,
  )
  const begun = [...lowered].filter((id) => current.get(id)?.vipUntil != null && !hasNotBegun(id))
  await shortenVip(
    tx,
    begun.map((memberId) => ({ memberId, until: reached.get(memberId)?.until ?? null })),
  )
}

/** Starts and ends VIP where due. Any number of processes may do so at once. */
export async function keepVip(ctx: Ctx): Promise<void> {
  if (ctx.program.config.hasVIP) await turnVip(ctx.db, ctx.now().toISOString().slice(0, 10))
}
