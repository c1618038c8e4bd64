import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { insertRows } from '../../platform/database/rows.ts'
import type { Span } from './facts-store.ts'
import { figures as allFigures, type Figure, type Flow, type Period } from './names.ts'

/** A figure of a finished period. */
export interface FigureRow {
  period: Period
  figure: Figure
  starts_on: string
  amount: number
  shown: number | null
}

/** Returns the last finished day; null before the first one. */
export async function findLastDay(db: Db | Tx): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select max(starts_on) as day from report_figures
    where partner_id = current_partner() and period = 'day' and figure = 'joined'`.execute(db)
  return rows[0]?.day ?? null
}

/** What of a figure is not shown yet: the day after the last one that was shown, and what the days since sum to. */
export interface Waiting {
  figure: Flow
  since: string
  amount: number
}

/** Returns what is not shown yet of the figures of which the last day is not. */
export async function listWaiting(tx: Tx, flows: readonly Flow[]): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select figure, min(starts_on) as since, sum(amount)::bigint as amount from report_figures f
    where partner_id = current_partner() and period = 'day' and figure = any(${[...flows]}) and starts_on > coalesce((
      select max(starts_on) from report_figures l where l.partner_id = f.partner_id and l.period = 'day'
        and l.figure = f.figure and l.shown is not null), date '1900-01-01')
    group by figure`.execute(tx)
  return rows
}

/** Returns the figures of a day. */
export async function listOfDay(tx: Tx, day: string): Promise<FigureRow[]> {
  return (await tx
    .selectFrom('report_figures')
    .select(['period', 'figure', 'starts_on', 'amount', 'shown'])
    .where('partner_id', '=', sql<string>`current_partner()`)
    .where('period', '=', 'day')
    .where('starts_on', '=', day)
    .execute()) as FigureRow[]
}

/** Returns the sums of the days of a span, by figure. */
export async function sumDays(
  tx: Tx,
  from: string,
  to: string,
): Promise<Pick<FigureRow, 'figure' | 'amount' | 'shown'>[]> {
  const { rows } = await sql<Pick<FigureRow, 'figure' | 'amount' | 'shown'>>`
    select figure, sum(amount)::bigint as amount, sum(shown)::bigint as shown from report_figures
    where partner_id = current_partner() and period = 'day' and starts_on between ${from} and ${to} group by figure`.execute(
    tx,
  )
  return rows
}

const columns = { period: 'text', figure: 'text', starts_on: 'date', amount: 'bigint', shown: 'bigint' } as const

export async function insertFigures(tx: Tx, rows: readonly FigureRow[]): Promise<void> {
  await insertRows(tx, 'report_figures', columns, rows)
}

/** Stores who had a dine in a span as diners of its month. */
export async function insertDiners(tx: Tx, month: string, { from, until }: Span): Promise<void> {
  await sql`
    insert into report_diners (partner_id, month, member_id)
    select distinct partner_id, ${month}::date, member_id from report_facts
    where partner_id = current_partner() and kind = 'dine' and count > 0 and at >= ${from} and at < ${until}
    on conflict do nothing`.execute(tx)
}

/** Returns how many members had a dine in a month. */
export async function countDinersOfMonth(tx: Tx, month: string): Promise<number> {
  const { rows } = await sql<{ diners: number }>`
    select count(*) as diners from report_diners where partner_id = current_partner() and month = ${month}`.execute(tx)
  return rows[0]?.diners ?? 0
}

export interface ShownRow {
  startsOn: string
  figure: Figure
  amount: number | null
}

/** Returns the figures of all periods that begin in a span of days, in order. */
export async function listShown(db: Db, period: Period, from: string, to: string): Promise<ShownRow[]> {
  const { rows } = await sql<ShownRow>`
    select starts_on as "startsOn", figure, amount from program_reports
    where partner_id = current_partner() and period = ${period} and figure = any(${[...allFigures]})
      and starts_on between ${from} and ${to} order by starts_on`.execute(db)
  return rows
}
