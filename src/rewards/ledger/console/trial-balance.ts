import { sql } from 'kysely'
import type { Db } from '../../../platform/database/db.ts'
import type { RewardUnit } from '../../earning/terms.ts'
import type { Account } from '../entries.ts'
import { accounts } from './store.ts'

/** The balance of an account in one unit at the beginning and the end of a day. */
export interface BalanceLine {
  account: Account
  unit: RewardUnit
  before: number
  /** What was taken from it and added to it on the day; neither is negative. */
  taken: number
  added: number
  after: number
}

/**
 * Returns the balance of every account at the end of a day (`YYYY-MM-DD`, UTC), with what the day changed. In each unit the
 * balances sum to zero, because every entry does.
 *
 * Ids follow the time but for entries that were posted at the same time, so the postings before the day are a range of an
 * index that has their amounts. What is on the wrong side of its end, at most the entries of a few seconds, is looked up and
 * moved. No database transaction takes a day.
 */
export async function listBalances(db: Db, day: string): Promise<BalanceLine[]> {
  const { rows } = await sql<BalanceLine>`
    with days as (
      select ${day}::date::timestamp at time zone 'UTC' as since, (${day}::date + 1)::timestamp at time zone 'UTC' as until
    ), latest as (
      select max(j.posted_at) as at from journal_entries j, days
      where j.partner_id = current_partner() and j.posted_at < days.since
    ), bounds as (
      -- The highest id among the last entries before the day, which may have been posted long before it.
      select coalesce(max(j.id), 0) as last from journal_entries j, latest, days
      where j.partner_id = current_partner() and j.posted_at > latest.at - interval '1 day' and j.posted_at < days.since
    ), late as (
      -- Entries of the day and later that have an id below.
      select j.id from journal_entries j, days, bounds
      where j.partner_id = current_partner() and j.posted_at >= days.since
        and j.posted_at < days.since + interval '1 day' and j.id <= bounds.last
    ), parts as (
      select p.account, p.unit, p.amount as before, 0 as taken, 0 as added from postings p, bounds
      where p.partner_id = current_partner() and p.account = any(${accounts}::text[]) and p.journal_entry_id <= bounds.last
      union all
      select p.account, p.unit, -p.amount, 0, 0 from postings p
      where p.partner_id = current_partner() and p.journal_entry_id in (select id from late)
      union all
      select p.account, p.unit, 0, greatest(-p.amount, 0), greatest(p.amount, 0)
      from journal_entries j join postings p on p.partner_id = j.partner_id and p.journal_entry_id = j.id, days
      where j.partner_id = current_partner() and j.posted_at >= days.since and j.posted_at < days.until
    )
    select account, unit, sum(before)::bigint as before, sum(taken)::bigint as taken, sum(added)::bigint as added,
      sum(before + added - taken)::bigint as after
    from parts group by account, unit
    order by unit, array_position(${accounts}::text[], account)`.execute(db)
  return rows
}
