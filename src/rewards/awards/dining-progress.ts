import { sql } from 'kysely'
import type { DiningProgress } from '../../identity/members/contract.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import type { ProgramConfig } from '../../programs/partners/contract.ts'
import { unitOf } from '../earning/terms.ts'

export interface Year {
  dines: number
  spentCents: number
  benefit: number
  isVip: boolean
}

/** A year with the first and last day of VIP, `YYYY-MM-DD`; null without VIP dates. */
export interface MemberYear extends Year {
  vipFrom: string | null
  vipUntil: string | null
}

/**
 * Returns a member's progress in the current calendar year (UTC): visits or dollars toward VIP in programs with VIP,
 * and the year's rewards (dollars, or whole miles or points). Only rewarded transactions count.
 */
export async function getDiningProgress(
  db: Db,
  memberId: number,
  config: ProgramConfig,
  now: Date,
): Promise<DiningProgress> {
  const year = await readYear(db, memberId, now)
  const goal = config.hasVIP ? goalOf(config) : null
  const remainingDines = goal?.dines === undefined ? null : Math.max(0, goal.dines - year.dines)
  const remainingCents = goal?.cents === undefined ? null : Math.max(0, goal.cents - year.spentCents)
  const reached = goal !== null && (remainingDines ?? remainingCents) === 0
  return {
    status: reached ? 'Qualified' : goal && year.isVip ? 'QualifiedAndBuilding' : 'Building',
    remainingDines,
    dinesRequired: goal?.dines ?? null,
    remainingDollars: remainingCents === null ? null : remainingCents / 100,
    dollarsRequired: goal?.cents === undefined ? null : goal.cents / 100,
    ytdMilesOrDollars: inCurrency(config, year.benefit),
    vipBegins: year.vipFrom !== null && year.vipFrom > now.toISOString().slice(0, 10) ? year.vipFrom : null,
  }
}

/** Returns the goal in cents where the program configures dollars, else in visits. */
function goalOf({ vipDollarsRequired, vipDinesRequired }: ProgramConfig): { dines?: number; cents?: number } {
  return vipDollarsRequired === undefined ? { dines: vipDinesRequired } : { cents: vipDollarsRequired * 100 }
}

/** Returns rewards and rewarded transactions of the current calendar year (UTC). */
export async function readDineSummary(
  ctx: Ctx,
  memberId: number,
): Promise<{ currentYearBenefits: number; currentYearDines: number }> {
  const year = await readYear(ctx.db, memberId, ctx.now())
  return { currentYearBenefits: inCurrency(ctx.program.config, year.benefit), currentYearDines: year.dines }
}

function inCurrency({ currencyType }: ProgramConfig, benefit: number): number {
  return unitOf(currencyType) === 'cent' ? benefit / 100 : benefit
}

async function readYear(db: Db, memberId: number, now: Date): Promise<MemberYear> {
  return (await readYears(db, [memberId], now.getUTCFullYear())).get(memberId) ?? emptyYear
}

const emptyYear: MemberYear = { dines: 0, spentCents: 0, benefit: 0, isVip: false, vipFrom: null, vipUntil: null }

/**
 * Returns members' totals of a calendar year (UTC). Only rewarded transactions count, and all at one restaurant on one
 * local day count as one visit, so that a split bill is not counted twice.
 */
export async function readYears(
  db: Db | Tx,
  memberIds: readonly number[],
  year: number,
): Promise<Map<number, MemberYear>> {
  const [from, to] = [new Date(Date.UTC(year, 0, 1)), new Date(Date.UTC(year + 1, 0, 1))]
  const { rows } = await sql<MemberYear & { id: number }>`
    select members.id, (tier_level = 'VIP') as "isVip", vip_from as "vipFrom", vip_until as "vipUntil", dines, "spentCents", benefit
    from members, lateral (
      select
        count(distinct (
          coalesce(t.merchant_id::text, t.public_id), (t.occurred_at at time zone coalesce(merchants.time_zone, 'UTC'))::date
        )) filter (where t.type_code in ('S', 'M')) as dines,
        coalesce(sum(greatest(t.cleared_cents - t.refunded_cents, 0)) filter (where t.type_code in ('S', 'M')), 0)::bigint
          as "spentCents",
        coalesce(sum(t.benefit), 0)::bigint as benefit
      from transactions t left join merchants on merchants.id = t.merchant_id
      where t.member_id = members.id and t.award_status in ('Awarded', 'Paid')
        and t.occurred_at >= ${from} and t.occurred_at < ${to}
    ) as year
    where members.id = any(${memberIds})`.execute(db)
  return new Map(rows.map(({ id, ...reached }) => [id, reached]))
}

/** Returns whether a year meets the VIP goal. */
export function hasReachedVip(config: ProgramConfig, year: Year): boolean {
  const goal = goalOf(config)
  return goal.cents === undefined ? year.dines >= (goal.dines ?? 0) : year.spentCents >= goal.cents
}
