import { type Selectable, sql } from 'kysely'
import type { MemberBonuses } from '../../../db/schema.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { rowSource } from '../../platform/database/rows.ts'
import type { BonusTerms } from './rules.ts'

export type BonusRow = Selectable<MemberBonuses>

export async function listBonuses(db: Db | Tx, memberId: number): Promise<BonusRow[]> {
  return db.selectFrom('member_bonuses').selectAll().where('member_id', '=', memberId).orderBy('id').execute()
}

/** Returns which of these members have activated any bonus. */
export async function findBonusHolders(tx: Tx, memberIds: readonly number[]): Promise<number[]> {
  const rows = await tx
    .selectFrom('member_bonuses')
    .select('member_id')
    .distinct()
    .where('partner_id', '=', sql<string>`current_partner()`)
    .where('member_id', '=', sql<number>`any(${memberIds})`)
    .execute()
  return rows.map(({ member_id }) => member_id)
}

export interface NewBonus {
  publicId: string
  memberId: number
  code: string
  terms: BonusTerms
  offeredAt: Date
  enrolledAt: Date
}

/** Returns false when the member already has it. */
export async function insertBonus(tx: Tx, bonus: NewBonus): Promise<boolean> {
  const row = await tx
    .insertInto('member_bonuses')
    .values({
      public_id: bonus.publicId,
      member_id: bonus.memberId,
      code: bonus.code,
      status: 'Enrolled',
      terms: JSON.stringify(bonus.terms),
      offered_at: bonus.offeredAt,
      enrolled_at: bonus.enrolledAt,
    })
    .onConflict((conflict) => conflict.columns(['partner_id', 'member_id', 'code']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Gives a bonus to another account of the same person. */
export async function moveBonus(tx: Tx, id: number, to: number): Promise<void> {
  await tx.updateTable('member_bonuses').set({ member_id: to }).where('id', '=', id).execute()
}

/** Deletes a bonus that was not earned, because another account of the same person has earned it. */
export async function deleteUnearned(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('member_bonuses').where('id', '=', id).where('qualified_at', 'is', null).execute()
}

/** Stores whether a bonus is earned; `qualifiedAt` is null when it no longer is. */
export async function setQualified(tx: Tx, id: number, qualifiedAt: Date | null): Promise<void> {
  const status = qualifiedAt ? 'Qualified' : 'Enrolled'
  await tx.updateTable('member_bonuses').set({ status, qualified_at: qualifiedAt }).where('id', '=', id).execute()
}

/** Returns whether a member has ever earned anything, including refunded rewards. */
export async function hasEarned(db: Db | Tx, memberId: number): Promise<boolean> {
  const row = await db
    .selectFrom('transactions')
    .select('id')
    .where('member_id', '=', memberId)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('benefit', '>', 0),
        // A posted transaction without a benefit has earned one that was reversed by a refund.
        exists(
          selectFrom('journal_entries')
            .select('journal_entries.id')
            .whereRef('journal_entries.partner_id', '=', 'transactions.partner_id')
            .where('journal_entries.source', '=', 'transaction')
            .whereRef('journal_entries.source_id', '=', 'transactions.network_id'),
        ),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the codes of the bonuses that deleted accounts have earned which one of these hashes was stored for. */
export async function listEarnedByHash(db: Db | Tx, hashes: readonly Buffer[]): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select distinct b.code from former_member_identifiers f
      join member_bonuses b on b.partner_id = f.partner_id and b.member_id = f.member_id
    where f.partner_id = current_partner() and f.identifier_hash = any(${[...hashes]}::bytea[])
      and b.status = 'Qualified'`.execute(db)
  return rows.map(({ code }) => code)
}

export async function listFingerprints(
  db: Db | Tx,
  cardIds: readonly number[],
): Promise<{ id: number; fingerprint: string }[]> {
  return db
    .selectFrom('cards')
    .select(['id', 'fingerprint'])
    .where('id', '=', sql<number>`any(${[...cardIds]})`)
    .execute()
}

/** What identifies a person or a card. */
export interface Identifier {
  /** Null for a person. */
  cardId: number | null
  /** Null for persons, and for cards of deleted accounts. */
  fingerprint: string | null
  /** Hexadecimal. */
  hash: string
}

/** A bonus that was earned in another account of the same person (without a card), or that has had this card. */
interface EarnedByOther {
  cardId: number | null
  code: string
}

/** Returns the hashes that were stored for a deleted account. */
export async function listOwnHashes(db: Db | Tx, memberId: number): Promise<Identifier[]> {
  const { rows } = await sql<Identifier>`
    select card_id as "cardId", null as fingerprint, encode(identifier_hash, 'hex') as hash
    from former_member_identifiers where member_id = ${memberId}`.execute(db)
  return rows
}

const identifierColumns = { cardId: 'bigint', fingerprint: 'text', hash: 'text' }

/**
 * Returns the bonuses that other accounts have earned which have had one of these cards, or, if deleted, were of this
 * person.
 */
export async function listEarnedByOthers(
  db: Db | Tx,
  memberId: number,
  identifiers: readonly Identifier[],
): Promise<EarnedByOther[]> {
  const { rows } = await sql<EarnedByOther>`
    select distinct fresh."cardId", b.code from ${rowSource(identifiers, identifierColumns)},
      lateral (
        select c.member_id from cards c where c.partner_id = current_partner() and c.fingerprint = fresh.fingerprint
        union select f.member_id from former_member_identifiers f
          where f.partner_id = current_partner() and f.identifier_hash = decode(fresh.hash, 'hex')
      ) other join member_bonuses b on b.member_id = other.member_id
    where other.member_id <> ${memberId} and b.partner_id = current_partner() and b.status = 'Qualified'`.execute(db)
  return rows
}

export interface OpenHolder {
  /** Of the bonuses that it has earned. */
  codes: string[]
  email: string
  isEmailVerified: boolean
  partnerNumber: string | null
  /** Of every card that it has had. */
  fingerprints: string[]
}

/**
 * Returns the open accounts that have earned a bonus which a deleted account has activated, and may be of its person or
 * have had one of its cards: only who joins after the deletion is of its person, and the second of two accounts with a
 * card knows that it had been linked.
 */
export async function listOpenHolders(db: Db | Tx, deletedId: number): Promise<OpenHolder[]> {
  const { rows } = await sql<OpenHolder>`
    select array_agg(b.code) as codes, m.email, m.email_verified_at is not null as "isEmailVerified",
      m.partner_number as "partnerNumber", array(select c.fingerprint from cards c where c.member_id = m.id) as fingerprints
    from member_bonuses b join members m on m.id = b.member_id
    where b.partner_id = current_partner() and b.status = 'Qualified' and m.deleted_at is null
      and b.code in (select own.code from member_bonuses own where own.member_id = ${deletedId})
      and (m.has_returned or exists (
        select from cards c where c.member_id in (m.id, ${deletedId}) and c.linked_before))
    group by m.id`.execute(db)
  return rows
}
