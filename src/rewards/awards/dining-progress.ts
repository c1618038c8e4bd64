import { sql } from 'kysely'
import type { DiningProgress } from '../../identity/members/contract.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { addDays } from '../../platform/time.ts'
import type { ProgramConfig } from '../../programs/partners/contract.ts'
import { dayOf, yearOf } from '../../programs/partners/rules.ts'
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
 * Returns a member's progress in the current calendar year of the program: visits or dollars toward VIP in programs with VIP,
 * and the year's rewards with adjustments (dollars, or whole miles or points). Only rewarded transactions count.
 */
export async function getDiningProgress(
  db: Db,
  memberId: number,
  config: ProgramConfig,
  now: Date,
): Promise<DiningProgress> {
  const calendarYear = yearOf(config, now)
  const [year, adjusted] = await Promise.all([
    readYear(db, memberId, calendarYear),
    sumAdjustments(db, memberId, config, calendarYear),
  ])
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
    ytdMilesOrDollars: inCurrency(config, year.benefit + adjusted),
    vipBegins: year.vipFrom !== null && year.vipFrom > dayOf(config, now) ? year.vipFrom : null,
  }
}

/** Returns the goal in cents where the program configures dollars, else in visits. */
function goalOf({ vipDollarsRequired, vipDinesRequired }: ProgramConfig): { dines?: number; cents?: number } {
  return vipDollarsRequired === undefined ? { dines: vipDinesRequired } : { cents: vipDollarsRequired * 100 }
}

/** Returns rewards with adjustments, and rewarded transactions, of the current calendar year of the program. */
export async function readDineSummary(
  ctx: Ctx,
  memberId: number,
): Promise<{ currentYearBenefits: number; currentYearDines: number }> {
  const { config } = ctx.program
  const calendarYear = yearOf(config, ctx.now())
  const [year, adjusted] = await Promise.all([
    readYear(ctx.db, memberId, calendarYear),
    sumAdjustments(ctx.db, memberId, config, calendarYear),
  ])
  return { currentYearBenefits: inCurrency(config, year.benefit + adjusted), currentYearDines: year.dines }
}

function inCurrency({ currencyType }: ProgramConfig, benefit: number): number {
  return unitOf(currencyType) === 'cent' ? benefit / 100 : benefit
}

/** Returns what operators credited and debited to a member in a calendar year of the program, in the smallest unit. */
async function sumAdjustments(
  db: Db,
  memberId: number,
  { currencyType, timeZone }: ProgramConfig,
  year: number,
): Promise<number> {
  const { rows } = await sql<{ sum: number }>`
    select coalesce(sum(p.amount), 0)::bigint as sum
    from postings p join journal_entries j on j.partner_id = p.partner_id and j.id = p.journal_entry_id
    where p.member_id in (select id from members where id = ${memberId} or merged_into_id = ${memberId})
      and p.unit = ${unitOf(currencyType)} and j.source = 'adjustment'
      and j.posted_at >= ${`${year}-01-01`}::timestamp at time zone ${timeZone}
      and j.posted_at < ${`${year + 1}-01-01`}::timestamp at time zone ${timeZone}`.execute(db)
  return rows[0]?.sum ?? 0
}

async function readYear(db: Db, memberId: number, year: number): Promise<MemberYear> {
  return (await readYears(db, [memberId], year)).get(memberId) ?? emptyYear
}

const emptyYear: MemberYear = { dines: 0, spentCents: 0, benefit: 0, isVip: false, vipFrom: null, vipUntil: null }

/**
 * Returns members' totals of a calendar year. A transaction belongs to the year of its day at the restaurant. Only
 * rewarded transactions count, and all at one restaurant on one local day count as one visit, so that a split bill is
 * not counted twice.
 */
export async function readYears(
  db: Db | Tx,
  memberIds: readonly number[],
  year: number,
): Promise<Map<number, MemberYear>> {
  const [first, last] = [`${year}-01-01`, `${year}-12-31`]
  const { rows } = await sql<MemberYear & { id: number }>`
    select members.id, (tier_level = 'VIP') as "isVip", vip_from as "vipFrom", vip_until as "vipUntil", dines, "spentCents", benefit
    from members, lateral (
      select
        count(distinct (
          coalesce(t.merchant_id::text, t.public_id), local.day
        )) filter (where t.type_code in ('S', 'M')) as dines,
        coalesce(sum(greatest(t.cleared_cents - t.refunded_cents, 0)) filter (where t.type_code in ('S', 'M')), 0)::bigint
          as "spentCents",
        coalesce(sum(t.benefit), 0)::bigint as benefit
      from transactions t left join merchants on merchants.id = t.merchant_id, lateral (
        select (t.occurred_at at time zone coalesce(merchants.time_zone, 'UTC'))::date as day
      ) as local
      where t.member_id = members.id and t.award_status in ('Awarded', 'Paid')
        -- One more day on either side, because the column holds UTC.
        and t.occurred_at >= ${addDays(first, -1)}::date and t.occurred_at < ${addDays(last, 2)}::date
        and local.day between ${first}::date and ${last}::date
    ) as year
    where members.id = any(${memberIds})`.execute(db)
  return new Map(rows.map(({ id, ...reached }) => [id, reached]))
}

/** Returns whether a year meets the VIP goal. */
export function hasReachedVip(config: ProgramConfig, year: Year): boolean {
  const goal = goalOf(config)
  return goal.cents === undefined ? year.dines >= (goal.dines ?? 0) : year.spentCents >= goal.cents
}
