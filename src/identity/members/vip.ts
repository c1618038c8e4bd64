import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Merge } from './merged.ts'

export interface VipYear {
  memberId: number
  /** The last day, `YYYY-MM-DD`. */
  until: string
}

/** The tier of a member without VIP. */
const withoutVip = sql<string>`case when email_opt_in then 'OptedIn' else 'OptedOut' end`

export interface ScheduledVip {
  memberId: number
  /** The first and the last day, `YYYY-MM-DD`. */
  from: string
  until: string
}

/**
 * Sets the first day of VIP, or extends it. Manually granted VIP, which has no end, is not changed. Returns the members
 * whose VIP changed, except those of accounts that are not activated: they get the tier after activation.
 */
export async function scheduleVip(tx: Tx, years: readonly VipYear[], from: string): Promise<ScheduledVip[]> {
  if (years.length === 0) return []
  const { rows } = await sql<ScheduledVip & { tier: string }>`
    update members as m set
      vip_from = coalesce(m.vip_from, ${from}::date),
      vip_until = greatest(m.vip_until, y.until::date)
    from json_to_recordset(${JSON.stringify(years)}::json) as y("memberId" bigint, until text)
    where m.id = y."memberId" and (m.vip_until < y.until::date or (m.vip_until is null and m.tier_level <> 'VIP'))
    returning m.id as "memberId", m.vip_from::text as "from", m.vip_until::text as until, m.tier_level as tier`.execute(
    tx,
  )
  return rows
    .filter(({ tier }) => tier !== 'NonActivated')
    .map(({ memberId, from: first, until }) => ({ memberId, from: first, until }))
}

/**
 * Gives a member the VIP of another account of the same person, if it is more: what one account has reached, both together
 * have. VIP without an end stays without an end.
 */
export async function mergeVip(tx: Tx, { from, to }: Merge): Promise<void> {
  await sql`
    update members as kept set
      tier_level = case when own.tier_level = 'VIP' then 'VIP' else kept.tier_level end,
      vip_from = case when own.tier_level = 'VIP' and own.vip_until is null then null
        else least(kept.vip_from, own.vip_from) end,
      vip_until = case when own.tier_level = 'VIP' and own.vip_until is null then null
        else greatest(kept.vip_until, own.vip_until) end
    from members own
    where kept.id = ${to} and own.id = ${from} and (own.tier_level = 'VIP' or own.vip_until is not null)
      and not (kept.tier_level = 'VIP' and kept.vip_until is null)`.execute(tx)
}

/** Removes VIP that has not started by today, for members who no longer qualify. */
export async function revokeScheduledVip(tx: Tx, memberIds: readonly number[], today: string): Promise<void> {
  if (memberIds.length === 0) return
  await tx
    .updateTable('members')
    .set({ vip_from: null, vip_until: null })
    .where('id', '=', sql<number>`any(${memberIds})`)
    .where('vip_from', '>', today)
    .execute()
}

/** Ends active VIP earlier: immediately when `until` is null. VIP without an end is not changed. */
export async function shortenVip(tx: Tx, ends: readonly { memberId: number; until: string | null }[]): Promise<void> {
  if (ends.length === 0) return
  await sql`
    update members as m set
      vip_from = case when e.until is null then null else m.vip_from end,
      vip_until = e.until::date,
      tier_level = case when e.until is null and m.tier_level = 'VIP' then ${withoutVip} else m.tier_level end
    from json_to_recordset(${JSON.stringify(ends)}::json) as e("memberId" bigint, until text)
    where m.id = e."memberId" and m.vip_until > coalesce(e.until::date, '-infinity')`.execute(tx)
}

/**
 * Sets the VIP tier of members whose VIP has started, and removes it after the last day. VIP is earned with or without
 * the email consent; an account that is not activated yet gets it after activation.
 */
export async function applyVipTransitions(db: Db, today: string): Promise<void> {
  await db
    .updateTable('members')
    .set({ tier_level: 'VIP' })
    .where('partner_id', '=', sql<string>`current_partner()`)
    .where('vip_from', '<=', today)
    .where('vip_until', '>=', today)
    .where('tier_level', 'in', ['OptedIn', 'OptedOut'])
    .execute()
  await db
    .updateTable('members')
    .set({ tier_level: withoutVip, vip_from: null, vip_until: null })
    .where('partner_id', '=', sql<string>`current_partner()`)
    .where('tier_level', '=', 'VIP')
    .where('vip_until', '<', today)
    .execute()
}
