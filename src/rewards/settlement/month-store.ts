import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'

export interface ClosedMonth {
  at: Date
  by: string
}

/** Returns who closed a month (`YYYY-MM`), and when; undefined for an open one. */
export async function findClosedMonth(db: Db | Tx, month: string): Promise<ClosedMonth | undefined> {
  const { rows } = await sql<ClosedMonth>`
    select closed_at as at, closed_by as by from closed_months
    where partner_id = current_partner() and month = ${`${month}-01`}::date`.execute(db)
  return rows[0]
}

/** Returns the first month with entries that is not closed; undefined without any. */
export async function findFirstOpenMonth(db: Db | Tx): Promise<string | undefined> {
  const { rows } = await sql<{ month: string | null }>`
    select to_char(j.posted_at at time zone 'UTC', 'YYYY-MM') as month from journal_entries j
    where j.partner_id = current_partner() and j.posted_at >= coalesce(
      (select max(month) + interval '1 month' from closed_months where partner_id = current_partner()),
      '-infinity'::timestamp) at time zone 'UTC'
    order by j.posted_at limit 1`.execute(db)
  return rows[0]?.month ?? undefined
}

export async function insertClosedMonth(
  tx: Tx,
  { month, by, reason, at }: { month: string; by: string; reason: string; at: Date },
): Promise<void> {
  await tx
    .insertInto('closed_months')
    .values({ month: `${month}-01`, closed_by: by, reason, closed_at: at })
    .execute()
}

/** What is not settled at the end of a month, by kind. */
export interface OpenCounts {
  /** Of the month: transactions whose reward is not final, and statement credits without an outcome. */
  pending: number
  credits: number
  /** Of any day: what waits for an operator. */
  decisions: number
  unmatched: number
  claims: number
  approvals: number
  files: number
}

/** Returns what is open; days of the month are those of the program, as in the lists that show it. */
export async function countOpen(
  db: Db | Tx,
  { from, to, timeZone }: { from: string; to: string; timeZone: string },
): Promise<OpenCounts> {
  const since = sql`${from}::date::timestamp at time zone ${timeZone}`
  const until = sql`(${to}::date + 1)::timestamp at time zone ${timeZone}`
  const { rows } = await sql<OpenCounts>`
    select
      (select count(*)::int from transactions t where t.partner_id = current_partner() and t.award_status = 'Pending'
        and t.occurred_at >= ${since} and t.occurred_at < ${until}) as pending,
      (select count(*)::int from statement_credits c where c.partner_id = current_partner()
        and c.status in ('pending', 'pending_received') and c.created_at >= ${since} and c.created_at < ${until}) as credits,
      (select count(*)::int from statement_credits c
        where c.partner_id = current_partner() and c.attention is not null) as decisions,
      (select count(*)::int from transactions t where t.partner_id = current_partner() and t.unmatched is not null
        and not exists (select from ignored_transactions i
          where i.partner_id = t.partner_id and i.transaction_id = t.id)) as unmatched,
      (select count(*)::int from claims c join members m on m.partner_id = c.partner_id and m.id = c.member_id
        where c.partner_id = current_partner() and c.decided_at is null and m.deleted_at is null) as claims,
      (select count(*)::int from console.approvals a
        where a.partner_id = current_partner() and a.state = 'open') as approvals,
      (select count(*)::int from feed_files where partner_id = current_partner() and finished_at is null) as files`.execute(
    db,
  )
  return rows[0] as OpenCounts
}
