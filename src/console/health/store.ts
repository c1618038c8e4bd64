import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import { deadLetters } from '../../platform/jobs/queues.ts'

export interface QueueHealth {
  queue: string
  waiting: number
  retrying: number
  failed: number
  oldestDueAt: Date | null
  lastFailureAt: Date | null
  /** Completed jobs are kept for an hour. */
  lastDoneAt: Date | null
}

/** Returns how the jobs of some queues do in the program. A failed job counts until it is retried or discarded. */
export async function readQueues(db: Db, queues: readonly string[]): Promise<QueueHealth[]> {
  const { rows } = await sql<QueueHealth>`
    select q.queue, coalesce(j.waiting, 0) as waiting, coalesce(j.retrying, 0) as retrying, coalesce(j.failed, 0) as failed,
      j.due as "oldestDueAt", j.failure as "lastFailureAt",
      (select d.completed_on from jobs.job d
        where d.name = q.queue and d.state = 'completed' and d.completed_on is not null
          and d.data ->> 'partnerId' = current_partner()
        order by d.completed_on desc limit 1) as "lastDoneAt"
    from unnest(${[...queues]}::text[]) q (queue)
    left join (
      select case when name = ${deadLetters} then source_name else name end as queue,
        count(*) filter (where name <> ${deadLetters}) as waiting,
        count(*) filter (where state = 'retry') as retrying,
        count(*) filter (where name = ${deadLetters}) as failed,
        min(start_after) filter (where name <> ${deadLetters} and state < 'active' and start_after <= now()) as due,
        max(case when name = ${deadLetters} then created_on when state = 'retry' then started_on end) as failure
      from jobs.job where data ->> 'partnerId' = current_partner() and state < 'completed' group by 1
    ) j on j.queue = q.queue`.execute(db)
  return rows
}

export interface FeedHealth {
  lastMessageAt: Date | null
  unmatched: number
  unfinishedFiles: number
  lastUnfinishedAt: Date | null
}

/** Returns when the card network sent its last message, and what of it waits. */
export async function readFeed(db: Db, now: Date): Promise<FeedHealth> {
  const { rows } = await sql<FeedHealth>`
    select
      (select max(received_at) from feed_messages where partner_id = current_partner()) as "lastMessageAt",
      (select count(*) from transactions t
        where t.partner_id = current_partner() and t.unmatched is not null and not exists (
          select from ignored_transactions i where i.partner_id = t.partner_id and i.transaction_id = t.id)) as unmatched,
      f.files as "unfinishedFiles", f.at as "lastUnfinishedAt"
    from (select count(*) as files, max(started_at) as at from feed_files
      where finished_at is null and started_at < ${now}::timestamptz - interval '1 hour') f`.execute(db)
  return rows[0] as FeedHealth
}

export interface PayoutHealth {
  waiting: number
  retrying: number
  failed: number
  oldestDueAt: Date | null
  lastFailureAt: Date | null
}

/** Returns the statement credits that are open, those without an answer, and those that need a decision. */
export async function readPayouts(db: Db): Promise<PayoutHealth> {
  const { rows } = await sql<PayoutHealth>`
    select o.*, a.failed, a.at as "lastFailureAt"
    from
      (select count(*) as waiting, count(*) filter (where unanswered > 0) as retrying,
          min(next_attempt_at) filter (where next_attempt_at <= now()) as "oldestDueAt"
        from statement_credits
        where partner_id = current_partner() and status in ('pending', 'pending_received')) o,
      (select count(*) as failed, max(attention_since) as at from statement_credits
        where partner_id = current_partner() and attention is not null) a`.execute(db)
  return rows[0] as PayoutHealth
}

/** Returns when an email was last sent, of the newest hundred that were. */
export async function findLastSent(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(sent_at) as at from (
      select sent_at from emails where partner_id = current_partner() and status = 'sent'
      order by created_at desc, id desc limit 100) newest`.execute(db)
  return rows[0]?.at ?? null
}

/** Returns when the newest reservation that is booked was made. */
export async function findLastBooked(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ at: Date }>`
    select created_at as at from reservations where partner_id = current_partner() and status = 'booked'
    order by created_at desc limit 1`.execute(db)
  return rows[0]?.at ?? null
}
