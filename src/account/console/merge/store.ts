import { sql } from 'kysely'
import { findMemberRow, type MemberRow, type Merge } from '../../../identity/members/service.ts'
import type { Tx } from '../../../platform/database/db.ts'

/** Returns the row of a member. */
export const findRow = (tx: Tx, id: number): Promise<MemberRow | undefined> => findMemberRow(tx, id)

/** Returns whether the partner's provider knows each of two members as a customer. */
export async function haveTwoIdentities(tx: Tx, { from, to }: Merge): Promise<boolean> {
  const { rows } = await sql`
    select from identities where member_id = ${from} and exists (select from identities where member_id = ${to}) limit 1`.execute(
    tx,
  )
  return rows.length > 0
}

/** Returns whether a debt arose in an account, or was carried into it. */
export async function hasDebt(tx: Tx, memberId: number): Promise<boolean> {
  const { rows } = await sql`
    select from debts where partner_id = current_partner() and member_id = ${memberId}
    union all
    select from postings p join journal_entries j on j.partner_id = p.partner_id and j.id = p.journal_entry_id
    where p.member_id = ${memberId} and j.source = 'debt' limit 1`.execute(tx)
  return rows.length > 0
}

export interface MergeCounts {
  linkedCards: number
  removedCards: number
  loadedCards: number
  transactions: number
  pending: number
  credits: number
  openCredits: number
  bonuses: number
  reservations: number
  claims: number
  reviews: number
  notifications: number
  notes: number
  tags: number
  identities: number
  passkeys: number
  sessions: number
  devices: number
  emails: number
  consents: number
}

/** Returns how many rows of each kind an account has. */
export async function countRows(tx: Tx, { id, public_id }: MemberRow): Promise<MergeCounts> {
  const { rows } = await sql<MergeCounts>`
    select
      (select count(*) from cards where member_id = ${id} and removed_at is null) as "linkedCards",
      (select count(*) from cards where member_id = ${id} and removed_at is not null) as "removedCards",
      (select count(*) from partner_cards where partner_id = current_partner() and holder = ${public_id}) as "loadedCards",
      (select count(*) from transactions where member_id = ${id}) as transactions,
      (select count(*) from transactions where member_id = ${id} and award_status in ('Pending', 'Deferred')) as pending,
      (select count(*) from statement_credits where member_id = ${id}) as credits,
      (select count(*) from statement_credits where member_id = ${id} and status in ('pending', 'pending_received'))
        as "openCredits",
      (select count(*) from member_bonuses where partner_id = current_partner() and member_id = ${id}) as bonuses,
      (select count(*) from reservations where member_id = ${id}) as reservations,
      (select count(*) from claims where partner_id = current_partner() and member_id = ${id}) as claims,
      (select count(*) from reviews where member_id = ${id}) as reviews,
      (select count(*) from notifications where partner_id = current_partner() and member_id = ${id}) as notifications,
      (select count(*) from member_notes where member_id = ${id}) as notes,
      (select count(*) from member_tags where member_id = ${id}) as tags,
      (select count(*) from identities where member_id = ${id}) as identities,
      (select count(*) from passkeys where member_id = ${id}) as passkeys,
      (select count(*) from sessions where member_id = ${id}) as sessions,
      (select count(*) from known_devices where partner_id = current_partner() and member_id = ${id}) as devices,
      (select count(*) from emails where member_id = ${id}) as emails,
      (select count(*) from consents where member_id = ${id}) as consents`.execute(tx)
  return rows[0] as MergeCounts
}

/** What the rules change by themselves. */
export type ChangeKind = 'awards' | 'bonusTaken' | 'bonusEarned' | 'reservations' | 'claims' | 'payout' | 'debt'

/** Returns what this database transaction has posted to a member, except the moved balance, by its cause and unit. */
export async function listChanges(
  tx: Tx,
  memberId: number,
): Promise<{ kind: ChangeKind; unit: string; amount: number; count: number }[]> {
  const { rows } = await sql<{ kind: ChangeKind; unit: string; amount: number; count: number }>`
    select kind, unit, sum(amount)::bigint as amount, count(distinct source_id)::int as count from (
      select p.unit, p.amount, j.source_id, case
        when j.source = 'statement-credit' then 'payout' when j.source = 'debt' then 'debt'
        when j.source_id like 'bonus:%' then case when p.amount < 0 then 'bonusTaken' else 'bonusEarned' end
        when j.source_id like 'reservation:%' then 'reservations'
        when j.source_id like 'manual:%' then 'claims' else 'awards' end as kind
      from postings p join journal_entries j on j.partner_id = p.partner_id and j.id = p.journal_entry_id
      where p.member_id = ${memberId} and j.posted_at = now() and j.source <> 'merge') posted
    group by kind, unit order by kind, unit`.execute(tx)
  return rows
}

/** Returns the balances of two accounts in each unit; those that are zero in both are left out. */
export async function listBalances(
  tx: Tx,
  { from, to }: Merge,
): Promise<{ unit: string; from: number; into: number }[]> {
  const { rows } = await sql<{ unit: string; from: number; into: number }>`
    select unit, coalesce(sum(amount) filter (where member_id = ${from}), 0)::bigint as "from",
      coalesce(sum(amount) filter (where member_id = ${to}), 0)::bigint as "into"
    from postings where member_id in (${from}, ${to}) group by unit order by unit`.execute(tx)
  return rows
}
