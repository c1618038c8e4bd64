import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'

/** Returns whether cents are left in the balance of a member whose account is deleted. */
export async function isLeftInClosedAccount(tx: Tx, memberId: number): Promise<boolean> {
  const { rows } = await sql<{ isLeft: boolean }>`
    select exists (select from members where id = ${memberId} and deleted_at is not null)
      and (select coalesce(sum(amount), 0) > 0 from postings where member_id = ${memberId} and unit = 'cent') as "isLeft"`.execute(
    tx,
  )
  return rows[0]?.isLeft ?? false
}

/**
 * Returns the deleted accounts with a balance that no credit has ever covered, and whose person or card has a debt, each
 * with the card of the latest award.
 */
export async function listUnorderedRests(db: Db): Promise<Map<number, number | null>> {
  const { rows } = await sql<{ memberId: number; cardId: number | null }>`
    select t.member_id as "memberId", (array_agg(t.card_id order by t.id desc))[1] as "cardId"
    from transactions t
    where t.partner_id = current_partner() and t.award_status = 'Awarded' and t.unit = 'cent' and t.benefit > 0
      and t.member_id in (
        select own.member_id from debts d
          join former_member_identifiers other on other.partner_id = d.partner_id and other.member_id = d.member_id
          join former_member_identifiers own on own.partner_id = d.partner_id and own.identifier_hash = other.identifier_hash
        where d.partner_id = current_partner())
      and (select sum(amount) from postings where member_id = t.member_id and unit = 'cent') > 0
      and not exists (
        select from statement_credits c join journal_entries j on j.partner_id = c.partner_id and j.id = c.journal_entry_id
        where c.member_id = t.member_id and j.reason -> 'covered' @> to_jsonb(t.id))
    group by t.member_id order by t.member_id`.execute(db)
  return new Map(rows.map(({ memberId, cardId }) => [memberId, cardId]))
}
