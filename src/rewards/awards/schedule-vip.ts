import {
  applyVipTransitions,
  revokeScheduledVip,
  type ScheduledVip,
  scheduleVip,
  shortenVip,
  type VipYear,
} from '../../identity/members/service.ts'
import { type NewNotification, notifyAll } from '../../identity/notifications/service.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { addDays } from '../../platform/time.ts'
import { dayOf } from '../../programs/partners/rules.ts'
import { dayText } from '../earning/explain.ts'
import { hasReachedVip, type MemberYear, readYears } from './dining-progress.ts'

/**
 * Schedules VIP for members who reached it in a year: from the next day to the end of the following year. Days
 * and years are those of the program; a transaction counts for the year of its day at the restaurant. A scheduled
 * VIP is dropped when its year is no longer reached. An active one ends after a refund or a correction: for members in
 * `lowered`, whose transactions now count less or for another day, VIP lasts only as long as a year that is still
 * reached gives. VIP assigned by an operator has no end, and stays. The caller holds the locks of the members.
 */
export async function updateVip(
  tx: Tx,
  ctx: Ctx,
  memberIds: readonly number[],
  lowered: ReadonlySet<number> = new Set(),
): Promise<void> {
  const { config } = ctx.program
  if (!config.hasVIP) return
  const today = dayOf(config, ctx.now())
  const year = Number(today.slice(0, 4))
  // In January, the last transactions of December are still clearing.
  const isJanuary = today.slice(5, 7) === '01'
  const current = await readYears(tx, memberIds, year)
  // West of the date line the new year has begun: a dine there may already count for it.
  const next = today === `${year}-12-31` ? await readYears(tx, memberIds, year + 1) : emptyYears
  const former = await readYears(tx, isJanuary ? memberIds : [...lowered], year - 1)
  const reached = new Map<number, VipYear>()
  const addReached = (years: ReadonlyMap<number, MemberYear>, until: string) => {
    for (const [memberId, progress] of years)
      if (hasReachedVip(config, progress)) reached.set(memberId, { memberId, until })
  }
  addReached(former, `${year}-12-31`)
  addReached(current, `${year + 1}-12-31`)
  addReached(next, `${year + 2}-12-31`)
  const isExtended = ({ memberId, until }: VipYear) => (current.get(memberId)?.vipUntil ?? '') < until
  // After January, last year's transactions start no VIP; they only decide whether an active one stays.
  const mayStart = ({ until }: VipYear) => isJanuary || until > `${year}-12-31`
  const scheduled = await scheduleVip(
    tx,
    [...reached.values()].filter((each) => isExtended(each) && mayStart(each)),
    addDays(today, 1),
  )
  const wasVip = ({ memberId }: ScheduledVip) => current.get(memberId)?.vipFrom != null
  await notifyAll(
    tx,
    scheduled.map((each) => vipNotification(each, wasVip(each))),
  )
  const hasNotStarted = (id: number) => (current.get(id)?.vipFrom ?? '') > today
  await revokeScheduledVip(
    tx,
    memberIds.filter((id) => !reached.has(id) && hasNotStarted(id)),
    today,
  )
  const started = [...lowered].filter((id) => current.get(id)?.vipUntil != null && !hasNotStarted(id))
  await shortenVip(
    tx,
    started.map((memberId) => ({ memberId, until: reached.get(memberId)?.until ?? null })),
  )
}

/** Returns the notification of a VIP that was reached, or that lasts longer. A year that is reached again is no news. */
function vipNotification({ memberId, from, until }: ScheduledVip, isExtended: boolean): NewNotification {
  const params = { from: dayText(from), until: dayText(until), ...(isExtended && { variant: 'kept' }) }
  return { memberId, topic: 'vipReached', about: `${memberId}:${until}`, params, path: '/account/overview' }
}

const emptyYears: ReadonlyMap<number, MemberYear> = new Map()

/** Starts and ends VIP where due. Any number of processes may do so at once. */
export async function runVipTransitions(ctx: Ctx): Promise<void> {
  const { config } = ctx.program
  if (config.hasVIP) await applyVipTransitions(ctx.db, dayOf(config, ctx.now()))
}
