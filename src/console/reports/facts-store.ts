import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { rowSource } from '../../platform/database/rows.ts'
import type { Flow } from './names.ts'

/** A span of time: from its first moment until before `until`. */
export interface Span {
  from: Date
  until: Date
}

/** What a day adds to a figure. */
export interface DayFlow {
  figure: Flow
  amount: number
  /** The people of the facts that are not shown yet, with those of the day. Who has facts that sum to zero does not count. */
  people: number
}

/** Facts as rows of figure, person, time and amount. Each reads its span by an index. */
type Source = (span: Span) => RawBuilder<unknown>

const ofMembers: Source = ({ from, until }) => sql`
  select 'joined' as figure, id as person, joined_at as at, 1 as amount from members
    where partner_id = current_partner() and joined_at >= ${from} and joined_at < ${until}
  union all
  select 'left', id, deleted_at, 1 from members
    where partner_id = current_partner() and deleted_at >= ${from} and deleted_at < ${until}`

// Nobody knows who looked: every view counts as a visitor of its own.
const ofViews: Source = ({ from, until }) => sql`
  select 'views' as figure, id as person, received_at as at, 1 as amount from impressions
    where partner_id = current_partner() and event_name = 'PageView' and member_id is null
      and received_at >= ${from} and received_at < ${until}`

const ofFacts: Source = ({ from, until }) => sql`
  select figure, member_id as person, at, amount from report_facts, lateral (values
      (case when kind = 'dine' then 'dines' when count > 0 then 'linked' else 'removed' end,
        case when kind = 'dine' then count else abs(count) end::bigint),
      (case when kind = 'dine' then 'spend' end, cents)) each (figure, amount)
    where partner_id = current_partner() and at >= ${from} and at < ${until} and figure is not null`

// The first and the fifth dine, and the first card, of those who had one in the span.
const ofSteps: Source = ({ from, until }) => sql`
  select figure, member_id as person, at, 1 as amount from (
      select distinct member_id, kind from report_facts
        where partner_id = current_partner() and count > 0 and at >= ${from} and at < ${until}) concerned,
    lateral (
      select at, case when concerned.kind = 'card' then case nth when 1 then 'firstCards' end
          else case nth when 1 then 'firstDines' when 5 then 'fifthDines' end end as figure
        from (select min(f.at) as at, row_number() over (order by min(f.at), f.subject_id) as nth from report_facts f
          where f.member_id = concerned.member_id and f.kind = concerned.kind and f.count > 0 group by f.subject_id) steps
        where nth in (1, 5)) reached
    where figure is not null and at >= ${from} and at < ${until}`

// Postings of money have no member: they are about the member of their journal entry.
const ofLedger: Source = ({ from, until }) => sql`
  select case when account = 'restaurant' then 'fees' when account = 'partner' then 'partnerShare'
      when account = 'platform' then 'margin'
      when kind in ('statement-credit', 'returned-credit') then 'payouts' else 'rewards' end as figure,
    person, at, case when account = 'restaurant' or kind in ('statement-credit', 'returned-credit') and account = 'member'
      then -amount else amount end as amount
  from (select p.account, p.amount, e.kind, e.posted_at as at,
      max(p.member_id) over (partition by p.journal_entry_id) as person
    from journal_entries e join postings p on p.partner_id = e.partner_id and p.journal_entry_id = e.id
    where e.partner_id = current_partner() and e.posted_at >= ${from} and e.posted_at < ${until}) posted
  where account in ('member', 'restaurant', 'partner', 'platform')
    -- A fee is earned by the meal, not by the payment of its invoice.
    and kind not in ('payment', 'undone-payment')`

const sources: readonly { figures: readonly Flow[]; rows: Source }[] = [
  { figures: ['joined', 'left'], rows: ofMembers },
  { figures: ['views'], rows: ofViews },
  { figures: ['linked', 'removed', 'dines', 'spend'], rows: ofFacts },
  { figures: ['firstCards', 'firstDines', 'fifthDines'], rows: ofSteps },
  { figures: ['rewards', 'payouts', 'fees', 'partnerShare', 'margin'], rows: ofLedger },
]

const sinceColumns = { figure: 'text', since: 'timestamptz' }

/**
 * Returns what a day adds to each figure. `since` has the time of each figure from which its facts are not shown yet; it
 * is at most the start of the day.
 */
export async function sumDay(tx: Tx, { from, until }: Span, since: ReadonlyMap<Flow, Date>): Promise<DayFlow[]> {
  const found = await Promise.all(
    sources.map(async ({ figures, rows: source }) => {
      const starts = figures.map((figure) => ({ figure, since: since.get(figure) ?? from }))
      const earliest = new Date(Math.min(...starts.map((each) => each.since.getTime())))
      const { rows } = await sql<DayFlow>`
        select figure, sum(of_day)::bigint as amount, count(*) filter (where person is not null and total <> 0) as people
        from (
          select f.figure, f.person, sum(f.amount) as total,
            coalesce(sum(f.amount) filter (where f.at >= ${from}), 0) as of_day
          from (${source({ from: earliest, until })}) f join ${rowSource(starts, sinceColumns)} on fresh.figure = f.figure
          where f.at >= fresh.since group by f.figure, f.person) by_person
        group by figure`.execute(tx)
      return figures.map((figure) => rows.find((row) => row.figure === figure) ?? { figure, amount: 0, people: 0 })
    }),
  )
  return found.flat()
}

/** Returns how many members had a dine in a span. */
export async function countDiners(tx: Tx, { from, until }: Span): Promise<number> {
  const { rows } = await sql<{ diners: number }>`
    select count(distinct member_id) as diners from report_facts
    where partner_id = current_partner() and kind = 'dine' and count > 0 and at >= ${from} and at < ${until}`.execute(
    tx,
  )
  return rows[0]?.diners ?? 0
}

/** Returns when the first fact of a program became known; null before one. */
export async function findFirstFact(tx: Tx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select least(
      (select min(joined_at) from members where partner_id = current_partner()),
      (select min(at) from report_facts where partner_id = current_partner()),
      (select posted_at from journal_entries where partner_id = current_partner() order by id limit 1)) as at`.execute(
    tx,
  )
  return rows[0]?.at ?? null
}
