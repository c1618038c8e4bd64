import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { type List, listPage, type Order, type PageRequest, readPages } from '../../platform/database/keyset.ts'
import { insertRows } from '../../platform/database/rows.ts'
import type { Span } from './facts-store.ts'
import { smallestGroup } from './names.ts'

/** Stores of each cohort how many had a dine in a month. */
export async function insertCohorts(tx: Tx, month: string): Promise<void> {
  await sql`
    insert into report_cohorts (partner_id, cohort, month, members, shown)
    select partner_id, cohort, ${month}::date, count(*),
      case when count(*) >= ${smallestGroup} then count(*) / ${smallestGroup}::bigint * ${smallestGroup} end
    from (
      select d.partner_id, (select min(f.month) from report_diners f where f.member_id = d.member_id) as cohort
      from report_diners d where d.partner_id = current_partner() and d.month = ${month}) diners
    group by partner_id, cohort`.execute(tx)
}

export interface CohortRow {
  cohort: string
  month: string
  members: number | null
}

/** Returns the cohorts from a month on, with all their months. */
export async function listCohorts(db: Db, from: string): Promise<CohortRow[]> {
  const { rows } = await sql<CohortRow>`
    select cohort, month, members from program_retention
    where partner_id = current_partner() and cohort >= ${from} order by cohort, month`.execute(db)
  return rows
}

/** A restaurant, a bonus or another cause of rewards. */
export interface Origin {
  kind: 'restaurant' | 'bonus' | 'reservation' | 'operators' | 'others'
  origin: string
  dines: number
  spend: number
  rewards: number
  /** Who has a part in any of the three. */
  members: number
  /** The fewest people who have a part in one of the three that is not zero. */
  fewest: number
}

/** The spans of the facts that a month shows of each figure. */
export interface MonthSpans {
  dines: Span
  spend: Span
  rewards: Span
}

/** What each person has at each origin in a month. */
const byPerson = ({ dines, spend, rewards }: MonthSpans): RawBuilder<unknown> => sql`
  select kind, origin, member_id, sum(dines) as dines, sum(spend) as spend, sum(rewards) as rewards from (
    select 'restaurant' as kind, merchant_id::text as origin, member_id, count::bigint as dines, 0::bigint as spend,
        0::bigint as rewards
      from report_facts where partner_id = current_partner() and kind = 'dine' and at >= ${dines.from} and at < ${dines.until}
    union all
    select 'restaurant', merchant_id::text, member_id, 0, cents, 0
      from report_facts where partner_id = current_partner() and kind = 'dine' and at >= ${spend.from} and at < ${spend.until}
    union all
    select case when p.merchant_id is not null then 'restaurant' when b.code is not null then 'bonus'
          when e.source_id like 'reservation:%' then 'reservation' else 'operators' end,
        coalesce(p.merchant_id::text, b.code, ''), p.member_id, 0, 0, p.amount
      from journal_entries e join postings p on p.partner_id = e.partner_id and p.journal_entry_id = e.id
        left join member_bonuses b on e.source_id like 'bonus:%' and b.public_id = substr(e.source_id, 7)
      where e.partner_id = current_partner() and e.posted_at >= ${rewards.from} and e.posted_at < ${rewards.until}
        and p.account = 'member' and e.kind not in ('statement-credit', 'returned-credit')) facts
  group by kind, origin, member_id`

const sums = sql`
  sum(dines)::bigint as dines, sum(spend)::bigint as spend, sum(rewards)::bigint as rewards,
  count(*) filter (where dines <> 0 or spend <> 0 or rewards <> 0) as members,
  coalesce(least(
    nullif(count(*) filter (where dines <> 0), 0), nullif(count(*) filter (where spend <> 0), 0),
    nullif(count(*) filter (where rewards <> 0), 0)), 0) as fewest`

/** Returns what each origin has in a month. */
export async function sumOrigins(tx: Tx, spans: MonthSpans): Promise<Origin[]> {
  const { rows } = await sql<Origin>`
    select kind, origin, ${sums} from (${byPerson(spans)}) by_person group by kind, origin`.execute(tx)
  return rows
}

/** Returns what several origins have together: a person counts once. */
export async function sumTogether(tx: Tx, spans: MonthSpans, origins: readonly Origin[]): Promise<Origin> {
  const keys = origins.map(({ kind, origin }) => `${kind} ${origin}`)
  const { rows } = await sql<Origin>`
    select 'others' as kind, '' as origin, ${sums} from (
      select member_id, sum(dines) as dines, sum(spend) as spend, sum(rewards) as rewards
      from (${byPerson(spans)}) by_person where kind || ' ' || origin = any(${keys}) group by member_id) together`.execute(
    tx,
  )
  return rows[0] as Origin
}

const columns = {
  month: 'date',
  kind: 'text',
  origin: 'text',
  dines: 'bigint',
  spend: 'bigint',
  rewards: 'bigint',
  members: 'bigint',
} as const

export async function insertOrigins(
  tx: Tx,
  rows: readonly (Omit<Origin, 'fewest'> & { month: string })[],
): Promise<void> {
  await insertRows(tx, 'report_origins', columns, rows)
}

/** Returns the last day on which a flow was shown before a day; null before the first one. */
export async function findLastShown(tx: Tx, figure: string, before: string): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select max(starts_on) as day from report_figures
    where partner_id = current_partner() and period = 'day' and figure = ${figure} and shown is not null
      and starts_on < ${before}`.execute(tx)
  return rows[0]?.day ?? null
}

export interface OriginFilter {
  month: string
  kinds: readonly Origin['kind'][]
}

export interface ListedOrigin extends Omit<Origin, 'fewest'> {
  id: number
  /** Of a restaurant. */
  name: string | null
}

/** The most spend or rewards first, the others last. */
const largestFirst: Order = {
  by: sql`(case o.kind when 'others' then -9000000000000000 when 'restaurant' then o.spend else o.rewards end)`,
  type: 'bigint',
  id: sql`o.id`,
  direction: 'desc',
}

const listOf = ({ month, kinds }: OriginFilter): List => ({
  columns: sql`o.id, o.kind, o.origin, o.dines, o.spend, o.rewards, o.members,
    (select m.name from merchants m where o.kind = 'restaurant'
      and m.id = case when o.kind = 'restaurant' then o.origin::bigint end) as name`,
  from: sql`program_origins o`,
  where: sql`o.partner_id = current_partner() and o.month = ${month} and o.kind = any(${[...kinds]})`,
  order: largestFirst,
})

/** Returns one page of the origins of a month, and how many there are. */
export const listOrigins = (db: Db, filter: OriginFilter, page: PageRequest) =>
  listPage<ListedOrigin>(db, listOf(filter), page)

/** Yields all origins of a month, a thousand at a time. */
export const readOrigins = (db: Db, filter: OriginFilter) => readPages<ListedOrigin>(db, listOf(filter))

/** Returns the finished months, the latest first. */
export async function listMonths(db: Db): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`
    select distinct starts_on as month from report_figures
    where partner_id = current_partner() and period = 'month' and figure = 'joined' order by 1 desc`.execute(db)
  return rows.map(({ month }) => month)
}
