import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'

/** Returns cleared transactions before a moment that still wait for their review. */
export async function listAwaitingReview(db: Db, before: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('transactions')
    .select('id')
    .where('award_status', '=', 'Pending')
    .where('stage', '=', 'cleared')
    .where('occurred_at', '<=', before)
    .orderBy('occurred_at')
    .limit(500)
    .execute()
  return rows.map((row) => row.id)
}

/** Returns those before a moment whose member was not notified of the pending review. */
export async function listReviewsToNotify(db: Db, before: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from transactions t
    where award_status = 'Pending' and stage = 'cleared' and occurred_at <= ${before} and not exists (
      select from notifications n where n.partner_id = t.partner_id and n.member_id = t.member_id and n.topic = 'reviewDue' and n.about = t.public_id)
    order by occurred_at limit 200`.execute(db)
  return rows.map((row) => row.id)
}

/** How long to wait, in days. */
export interface PendingTimeouts {
  /** For the final amount of an authorized transaction. */
  clearing: number
  /** For its card to be linked, or its restaurant to join. */
  matching: number
}

/**
 * Returns transactions whose wait is over at a moment: no final amount arrived, no card or restaurant was matched, or
 * the program's hold of the reward has ended.
 */
export async function listTimedOut(db: Db, now: Date, { clearing, matching }: PendingTimeouts): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select t.id from transactions t left join award_terms m on m.partner_id = t.partner_id and m.id = t.terms_id
    where t.partner_id = current_partner() and award_status in ('Pending', 'Deferred')
      and coalesce(reason -> 'inputs' ->> 'waiting', '') <> 'over'
      and case
        when award_status = 'Pending' then stage = 'authorized' and occurred_at < ${now}::timestamptz - make_interval(days => ${clearing})
        when unmatched is not null then occurred_at < ${now}::timestamptz - make_interval(days => ${matching})
        else cleared_at <= ${now}::timestamptz - make_interval(
          days => coalesce((coalesce(m.terms, reason -> 'inputs') #>> '{program,deferDays}')::int, 0))
      end
    order by occurred_at limit 500`.execute(db)
  return rows.map((row) => row.id)
}
