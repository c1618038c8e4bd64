import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import type { RewardUnit } from '../earning/terms.ts'

/**
 * Returns what was taken back from the transactions of each of these cards: what they had earned, less what they have. Of
 * an entry that another one of the same meal has replaced, less what the same change gave to the other one, also when it
 * was the credit of a claim: the loss is that of the card that paid the meal.
 */
export async function listTakenBack(
  tx: Tx,
  cardIds: readonly number[],
): Promise<{ cardId: number; unit: RewardUnit; amount: number }[]> {
  const { rows } = await sql<{ cardId: number; unit: RewardUnit; amount: number }>`
    with holders as (
      select distinct member_id from cards where id = any(${cardIds})
    ), entries as (
      select t.partner_id, t.network_id, t.member_id, t.card_id, t.merchant_id, t.reason ->> 'code' = 'reportedTwice' as is_replaced
      from transactions t
      where t.card_id = any(${cardIds}) and t.member_id in (select member_id from holders)
        and t.reason ->> 'code' <> 'replacedByTransaction'
      union all
      select t.partner_id, c.network_id, t.member_id, t.card_id, t.merchant_id, true
      from transactions c
        join transactions t on t.partner_id = c.partner_id and t.network_id = c.reason ->> 'transaction' and t.member_id = c.member_id
      where c.member_id in (select member_id from holders) and c.type_code = 'M'
        and c.reason ->> 'code' = 'replacedByTransaction' and t.card_id = any(${cardIds})
    ), changes as (
      -- What a change posts and takes back at once was never earned. All entries of a change have its time.
      select e.*, p.unit, j.posted_at, max(j.version) as version, sum(p.amount) as amount
      from entries e
        join journal_entries j on j.partner_id = e.partner_id and j.source = 'transaction' and j.source_id = e.network_id
        join postings p on p.partner_id = j.partner_id and p.journal_entry_id = j.id
        join members holder on holder.partner_id = p.partner_id and holder.id = p.member_id
          and coalesce(holder.merged_into_id, holder.id) = e.member_id
      group by e.partner_id, e.network_id, e.member_id, e.card_id, e.merchant_id, e.is_replaced, p.unit, j.posted_at
    ), totals as (
      select *, sum(amount) over (partition by network_id, unit order by version) as total from changes
    ), peaks as (
      select *, max(total) over (partition by network_id, unit order by version) as peak,
        row_number() over (partition by network_id, unit order by version desc) = 1 as is_last
      from totals
    ), gains as (
      -- What a change added to the most that an entry had earned until then.
      select *, peak - coalesce(lag(peak) over (partition by network_id, unit order by version), 0) as gain from peaks
    )
    select card_id as "cardId", unit, sum(amount)::bigint as amount from (
      select card_id, unit, peak - total as amount from gains where is_last and not is_replaced
      union all
      select card_id, unit, greatest(0, sum(peak - total) - (
        select coalesce(sum(other.gain), 0) from gains other
        where not other.is_replaced and other.member_id = lost.member_id and other.card_id = lost.card_id
          and other.merchant_id is not distinct from lost.merchant_id and other.unit = lost.unit
          and other.posted_at = lost.posted_at))
      from gains lost where is_last and is_replaced
      group by member_id, card_id, merchant_id, unit, posted_at
    ) losses group by card_id, unit`.execute(tx)
  return rows
}
