import { sql } from 'kysely'
import { isRestaurantMeant } from '../../dining/merchants/service.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import {
  afterCursor,
  type CursorRow,
  cursorColumns,
  type Order,
  orderBy,
  toPage,
} from '../../platform/database/keyset.ts'
import type { RewardUnit } from '../earning/terms.ts'

/** The ledger totals of one restaurant for some days; null ids for rewards that no restaurant pays for. */
export interface SettledLine {
  /** What the entries are about. Bonuses include awards that an operator made; adjustments are operators' credits and debits. */
  kind: 'transactions' | 'bonuses' | 'adjustments'
  merchantId: string | null
  merchantName: string | null
  unit: RewardUnit
  /** Number of journal entries that gave, and that took back. */
  given: number
  takenBack: number
  /** In the smallest unit. */
  rewardsGiven: number
  rewardsTakenBack: number
  /** What remains: given less taken back; the money likewise, in cents. */
  rewards: number
  restaurantOwes: number
  partnerIsOwed: number
  platformShare: number
}

/** UTC days of a ledger, both inclusive: `YYYY-MM-DD`. */
export interface DayRange {
  from: string
  to: string
}

const onDays = ({ from, to }: DayRange) =>
  sql`j.posted_at >= ${from}::date at time zone 'UTC' and j.posted_at < (${to}::date + 1) at time zone 'UTC'`

/** Entries of some days have ids close to each other: their postings are one range of the index, not all that there are. */
const betweenEntriesOn = (days: DayRange) => sql`p.journal_entry_id between
  (select min(j.id) from journal_entries j where j.partner_id = current_partner() and ${onDays(days)}) and
  (select max(j.id) from journal_entries j where j.partner_id = current_partner() and ${onDays(days)})`

const dayOf = sql`to_char(j.posted_at at time zone 'UTC', 'YYYY-MM-DD')`

/**
 * One row per journal entry and restaurant: an entry names two when it moves a transaction. The postings of bonuses and of
 * operators' credits and debits name none, because no restaurant pays for them.
 */
const entriesOn = (days: DayRange) => sql`
  select j.id, ${dayOf} as day, p.merchant_id,
    case when j.source = 'adjustment' then 'adjustments' when p.merchant_id is null then 'bonuses' else 'transactions' end
      as kind,
    coalesce(sum(p.amount) filter (where p.account = 'member'), 0)::bigint as rewards,
    coalesce(max(p.unit) filter (where p.account = 'member'),
      (select t.unit from transactions t
        where t.partner_id = j.partner_id and t.network_id = j.source_id and t.type_code = 'S'), 'cent') as unit,
    coalesce(-sum(p.amount) filter (where p.account = 'restaurant'), 0)::bigint as restaurant,
    coalesce(sum(p.amount) filter (where p.account = 'partner'), 0)::bigint as partner,
    coalesce(sum(p.amount) filter (where p.account = 'platform'), 0)::bigint as platform
  from journal_entries j
  join postings p on p.partner_id = j.partner_id and p.journal_entry_id = j.id and ${betweenEntriesOn(days)}
  where j.partner_id = current_partner() and j.source in ('transaction', 'adjustment') and ${onDays(days)}
  group by j.partner_id, j.id, day, p.merchant_id`

const sums = sql`
  count(*) filter (where e.rewards > 0)::int as given, count(*) filter (where e.rewards < 0)::int as "takenBack",
  coalesce(sum(e.rewards) filter (where e.rewards > 0), 0)::bigint as "rewardsGiven",
  coalesce(-sum(e.rewards) filter (where e.rewards < 0), 0)::bigint as "rewardsTakenBack",
  sum(e.rewards)::bigint as rewards, sum(e.restaurant)::bigint as "restaurantOwes",
  sum(e.partner)::bigint as "partnerIsOwed", sum(e.platform)::bigint as "platformShare"`

/** Returns a partner's ledger totals by restaurant. The amounts of past days never change. */
export async function listSettledLines(db: Db, days: DayRange): Promise<SettledLine[]> {
  const { rows } = await sql<SettledLine>`
    with entries as (${entriesOn(days)})
    select m.public_id as "merchantId", m.name as "merchantName", e.kind, e.unit, ${sums}
    from entries e left join merchants m on m.id = e.merchant_id
    group by m.public_id, m.name, e.kind, e.unit order by m.name nulls last, m.public_id, e.kind desc, e.unit`.execute(
    db,
  )
  return rows
}

const byDebt: Order = { by: sql`l."restaurantOwes"`, type: 'bigint', id: sql`l.key`, direction: 'desc' }

/** A line with what it is counted among. */
type PagedLine = SettledLine & CursorRow & { total: number }

/**
 * Returns one page of the lines of some days, those of the restaurants that owe the most first. `text` is of the name,
 * the city, or the id.
 */
export async function listSettledPage(
  db: Db,
  days: DayRange,
  { text, cursor, limit }: { text?: string | undefined; cursor?: string | undefined; limit: number },
): Promise<{ rows: SettledLine[]; next: string | null; total: number }> {
  const { rows } = await sql<PagedLine>`
    with entries as (${entriesOn(days)}), lines as (
      select coalesce(m.id, case e.kind when 'bonuses' then 0 else -1 end) * 4
          + array_position(array['mile', 'point', 'cent'], e.unit) as key,
        m.public_id as "merchantId", m.name as "merchantName", e.kind, e.unit, ${sums}
      from entries e left join merchants m on m.id = e.merchant_id
      ${text === undefined ? sql`` : sql`where ${isRestaurantMeant(sql`e.merchant_id`, text)}`}
      group by m.id, m.public_id, m.name, e.kind, e.unit
    )
    select l.*, ${cursorColumns(byDebt)}, (select count(*) from lines)::int as total from lines l
    where ${afterCursor(byDebt, cursor)} order by ${orderBy(byDebt)} limit ${limit + 1}`.execute(db)
  return { ...toPage(rows, limit), total: rows[0]?.total ?? 0 }
}

/** The ledger totals of all restaurants for one day. */
export type SettledDay = Omit<SettledLine, 'kind' | 'merchantId' | 'merchantName' | 'unit' | 'rewards'> & {
  /** `YYYY-MM-DD` */
  day: string
}

/** Returns a partner's ledger totals by day; days without entries are left out. */
export async function listSettledDays(db: Db | Tx, days: DayRange): Promise<SettledDay[]> {
  const { rows } = await sql<SettledDay>`
    with entries as (${entriesOn(days)})
    select e.day, ${sums} from entries e group by e.day order by e.day`.execute(db)
  return rows
}

/** Returns the statement credits that left balances on each of these days, less returned ones, in cents. */
export async function getCreditsByDay(db: Db | Tx, days: DayRange): Promise<Map<string, number>> {
  const { rows } = await sql<{ day: string; cents: number }>`
    select ${dayOf} as day, sum(p.amount)::bigint as cents
    from journal_entries j
    join postings p on p.partner_id = j.partner_id and p.journal_entry_id = j.id and ${betweenEntriesOn(days)}
    where j.partner_id = current_partner() and j.source = 'statement-credit' and p.account = 'payout'
      and ${onDays(days)}
    group by day`.execute(db)
  return new Map(rows.map(({ day, cents }) => [day, cents]))
}

/** A rewarded transaction as its restaurant may see it: without the member's name, with its cost by the ledger. */
export interface StatementLine {
  dinedAt: Date
  billCents: number
  refundedCents: number
  countedCents: number
  /** In the smallest unit of the program. */
  reward: number
  unit: RewardUnit
  /** What the restaurant pays for it, by the ledger. */
  costCents: number
  /** Whether this member had a rewarded transaction here before. */
  isReturning: boolean
}

/** Returns a restaurant's transactions of a local month (`YYYY-MM`) with one partner, the earliest first. */
export async function listStatementLines(
  db: Db,
  { merchantId, month, timeZone }: { merchantId: number; month: string; timeZone: string },
): Promise<StatementLine[]> {
  const { rows } = await sql<StatementLine>`
    select t.occurred_at as "dinedAt", t.cleared_cents as "billCents", t.refunded_cents as "refundedCents",
      coalesce((t.reason ->> 'countedCents')::bigint, 0)::bigint as "countedCents", t.benefit as reward, t.unit,
      coalesce(cost.cents, 0)::bigint as "costCents",
      exists (
        select from transactions earlier where earlier.member_id = t.member_id
          and earlier.merchant_id = t.merchant_id and earlier.occurred_at < t.occurred_at
          and earlier.award_status in ('Awarded', 'Paid') and earlier.benefit > 0
      ) as "isReturning"
    from transactions t
    cross join lateral (
      select -sum(p.amount) as cents, count(*) as entries
      from journal_entries j join postings p on p.journal_entry_id = j.id
      where j.partner_id = t.partner_id and j.source = 'transaction' and j.source_id = t.network_id
        and p.account = 'restaurant' and p.merchant_id = t.merchant_id
    ) as cost
    where t.partner_id = current_partner() and t.merchant_id = ${merchantId} and t.type_code = 'S'
      and to_char(t.occurred_at at time zone ${timeZone}, 'YYYY-MM') = ${month}
      and (t.award_status in ('Awarded', 'Paid') or cost.entries > 0)
    order by t.occurred_at, t.id`.execute(db)
  return rows
}

export interface StatementMerchant {
  id: number
  publicId: string
  name: string
  city: string
  state: string
  timeZone: string
}

export async function findStatementMerchant(db: Db, publicId: string): Promise<StatementMerchant | undefined> {
  return db
    .selectFrom('merchants')
    .select(['id', 'public_id as publicId', 'name', 'city', 'state', 'time_zone as timeZone'])
    .where('public_id', '=', publicId)
    .executeTakeFirst()
}
