import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'

export interface TaskCounts {
  lateClaims: number
  lateUnmatched: number
  claims: number
  approvals: number
  unmatched: number
  payouts: number
  deadLetters: number
  emails: number
  files: number
  invoices: number
}

/** Returns how much waits for an operator. Each number comes from an index of what is open. */
export async function countTasks(
  db: Db,
  { now, today, matchingDays, operatorId }: { now: Date; today: string; matchingDays: number; operatorId: number },
): Promise<TaskCounts> {
  const isWaiting = sql`t.partner_id = current_partner() and t.unmatched is not null and not exists (
    select from ignored_transactions i where i.partner_id = t.partner_id and i.transaction_id = t.id)`
  const { rows } = await sql<TaskCounts>`
    select
      (select count(*) from claims c join members m on m.id = c.member_id
        where c.decided_at is null and m.deleted_at is null and c.respond_by < ${now}) as "lateClaims",
      (select count(*) from claims c join members m on m.id = c.member_id
        where c.decided_at is null and m.deleted_at is null) as claims,
      (select count(*) from console.approvals a
        where a.partner_id = current_partner() and a.state = 'open' and a.asked_by <> ${operatorId}) as approvals,
      (select count(*) from transactions t where ${isWaiting}
        and t.occurred_at < ${now}::timestamptz - make_interval(hours => ${matchingDays * 24})) as "lateUnmatched",
      (select count(*) from transactions t where ${isWaiting}) as unmatched,
      (select count(*) from statement_credits where attention is not null) as payouts,
      (select count(*) from jobs.job j
        where j.name = 'dead-letters' and j.state = 'created' and j.data ->> 'partnerId' = current_partner()) as "deadLetters",
      (select count(*) from emails where status = 'failed') as emails,
      (select count(*) from feed_files where finished_at is null and started_at < ${now}::timestamptz - interval '1 hour') as files,
      (select count(*) from restaurant_invoices i where i.partner_id = current_partner()
        and i.paid_cents < i.month_cents + i.carried_cents and i.due_on < ${today}::date) as invoices`.execute(db)
  return rows[0] as TaskCounts
}

export interface WeekFigures {
  /** Members who dined. */
  diners: number
  dines: number
  spendCents: number
  rewards: number
  revenueCents: number
  members: number
  cards: number
}

/** Returns the figures of a span of time. Rewards and money are those that the ledger posted in it. */
export async function sumFigures(db: Db, from: Date, until: Date): Promise<WeekFigures> {
  const { rows } = await sql<WeekFigures>`
    select d.*, l.*,
      (select count(*) from members where joined_at >= ${from} and joined_at < ${until}) as members,
      (select count(*) from cards where linked_at >= ${from} and linked_at < ${until}) as cards
    from
      (select count(*) as dines, count(distinct member_id) as diners, coalesce(sum(cleared_cents - refunded_cents), 0)::bigint as "spendCents"
        from transactions
        where member_id is not null and unmatched is null and type_code = 'S' and stage <> 'authorized'
          and occurred_at >= ${from} and occurred_at < ${until}) d,
      (select
          coalesce(sum(p.amount) filter (
            where p.account = 'member' and e.kind not in ('statement-credit', 'returned-credit')), 0)::bigint as rewards,
          coalesce(sum(p.amount) filter (where p.account = 'platform'), 0)::bigint as "revenueCents"
        from journal_entries e join postings p on p.journal_entry_id = e.id
        where e.posted_at >= ${from} and e.posted_at < ${until}) l`.execute(db)
  return rows[0] as WeekFigures
}

/** Returns when the last message of the card feed arrived. */
export async function findLastMessage(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(received_at) as at from feed_messages where partner_id = current_partner()`.execute(db)
  return rows[0]?.at ?? null
}
