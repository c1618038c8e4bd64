import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { toAsciiEmail } from '../../platform/email-address.ts'
import type { MemberRow } from './store.ts'
import { moveTierGrants } from './tier.ts'

/** Two accounts of one person: the first one is merged into the other one. */
export interface Merge {
  from: number
  to: number
}

/**
 * Closes the merged account for good, and stores which account has its rows now. Its address identifies nobody any more,
 * so that it is free for the kept account. The caller holds the locks of both members, and moves the rows afterwards.
 */
export async function storeMerge(tx: Tx, { from, to }: Merge, publicId: string): Promise<void> {
  await sql`insert into member_merges (public_id, member_id, merged_member_id, email_was_verified)
    select ${publicId}, ${to}, id, email_verified_at is not null from members where id = ${from}`.execute(tx)
  await tx
    .updateTable('members')
    .set({
      merged_into_id: to,
      member_type: 'ClosedAccountMember',
      active: false,
      email_identifies: false,
      email_verified_at: null,
      sms_opt_in: false,
      email_opt_in: false,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', from)
    .execute()
  await tx.deleteFrom('credentials').where('member_id', '=', from).execute()
}

/** Gives the kept account the notes, the tags, the given tiers and the partner's identity of the merged one. */
export async function moveMemberRecords(tx: Tx, { from, to }: Merge): Promise<void> {
  await moveTierGrants(tx, { from, to })
  await tx.updateTable('identities').set({ member_id: to }).where('member_id', '=', from).execute()
  await tx.updateTable('member_notes').set({ member_id: to }).where('member_id', '=', from).execute()
  await sql`insert into member_tags (tag, member_id, tagged_by, tagged_at)
    select tag, ${to}, tagged_by, tagged_at from member_tags where member_id = ${from} on conflict do nothing`.execute(
    tx,
  )
  await tx.deleteFrom('member_tags').where('member_id', '=', from).execute()
}

/** Gives the kept account the member number of the merged one, if it has none: the partner credits rewards to it. */
export async function moveMemberNumber(tx: Tx, { from, to }: Merge): Promise<void> {
  const { rows } = await sql<{ number: string }>`
    select own.partner_number as number from members own, members kept
    where own.id = ${from} and kept.id = ${to} and own.partner_number is not null and kept.partner_number is null`.execute(
    tx,
  )
  const [found] = rows
  if (!found) return
  await tx.updateTable('members').set({ partner_number: null }).where('id', '=', from).execute()
  await tx.updateTable('members').set({ partner_number: found.number }).where('id', '=', to).execute()
}

/** Returns the accounts that were merged into one, also by way of another one, in the order of the merges. */
export async function listMergedInto(
  db: Db | Tx,
  memberId: number,
): Promise<(MemberRow & { emailWasVerified: boolean; mergedAt: Date })[]> {
  return db
    .selectFrom('members')
    .innerJoin('member_merges', 'member_merges.merged_member_id', 'members.id')
    .selectAll('members')
    .select(['member_merges.email_was_verified as emailWasVerified', 'member_merges.merged_at as mergedAt'])
    .where('members.merged_into_id', '=', memberId)
    .orderBy('member_merges.id')
    .execute()
}

/** Returns the ids of an account and of those that were merged into it. */
export async function listOwnAccounts(db: Db | Tx, memberId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from members where id = ${memberId} or merged_into_id = ${memberId} order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the account that has what a merged account had, and when it was merged; undefined for one that was not. */
export async function findMergedInto(
  db: Db | Tx,
  memberId: number,
): Promise<(MemberRow & { mergedAt: Date }) | undefined> {
  return db
    .selectFrom('members as own')
    .innerJoin('members as kept', 'kept.id', 'own.merged_into_id')
    .innerJoin('member_merges', 'member_merges.merged_member_id', 'own.id')
    .selectAll('kept')
    .select('member_merges.merged_at as mergedAt')
    .where('own.id', '=', memberId)
    .executeTakeFirst()
}

/** Returns whether a family id is that of an account, or of one that was merged into it. */
export async function hasFamilyId(tx: Tx, memberId: number, familyId: string): Promise<boolean> {
  const { rows } = await sql`select from members
    where family_id = ${familyId} and (id = ${memberId} or merged_into_id = ${memberId})`.execute(tx)
  return rows.length > 0
}

/**
 * Returns the account that has what the account with an address had, which was merged into it. Only where the address was
 * verified, or the partner had enrolled its member with it: one that was only typed says nothing about its owner.
 */
export async function findMergedAccount(tx: Tx, email: string): Promise<MemberRow | undefined> {
  return tx
    .selectFrom('members as own')
    .innerJoin('members as kept', 'kept.id', 'own.merged_into_id')
    .innerJoin('member_merges', 'member_merges.merged_member_id', 'own.id')
    .selectAll('kept')
    .where(sql<string>`lower(own.email)`, '=', toAsciiEmail(email).toLowerCase())
    .where('kept.deleted_at', 'is', null)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('member_merges.email_was_verified', '=', true),
        exists(
          selectFrom('audit_entries')
            .select('audit_entries.id')
            .whereRef('audit_entries.member_id', '=', 'own.id')
            .where('audit_entries.action', '=', 'member.enrolled'),
        ),
      ]),
    )
    .orderBy('member_merges.id', 'desc')
    .executeTakeFirst()
}
