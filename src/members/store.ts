import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../kit/server/db.ts'
import type { Members } from '../kit/server/schema.ts'

export type MemberRow = Selectable<Members>

export async function findMember(db: Db | Tx, id: number): Promise<MemberRow | undefined> {
  return db.selectFrom('members').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function findByPublicId(db: Db | Tx, publicId: string): Promise<MemberRow | undefined> {
  return db.selectFrom('members').selectAll().where('public_id', '=', publicId).executeTakeFirst()
}

/** Locks the member for the rest of the transaction: whatever is counted per member is counted under this lock. */
export async function lockMember(tx: Tx, id: number): Promise<MemberRow | undefined> {
  return tx.selectFrom('members').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export interface Credentials {
  memberId: number
  passwordHash: string
}

/** The credentials of an e-mail or, where programs have them, a partner number; both in lower case. */
export async function findCredentials(
  db: Db,
  name: string,
  byPartnerNumber: boolean,
): Promise<Credentials | undefined> {
  const row = await db
    .selectFrom('members')
    .innerJoin('credentials', 'credentials.member_id', 'members.id')
    .select(['members.id as memberId', 'credentials.password_hash as passwordHash'])
    .where((where) =>
      where.or([
        where(sql`lower(email)`, '=', name),
        ...(byPartnerNumber ? [where(sql`lower(partner_number)`, '=', name)] : []),
      ]),
    )
    .executeTakeFirst()
  return row
}

export async function findByEmail(db: Db | Tx, email: string): Promise<MemberRow | undefined> {
  return db.selectFrom('members').selectAll().where(sql`lower(email)`, '=', email.toLowerCase()).executeTakeFirst()
}

export async function findByIdentity(db: Db | Tx, issuer: string, subject: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('identities')
    .select('member_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.member_id
}

export async function insertIdentity(
  tx: Tx,
  identity: { issuer: string; subject: string; memberId: number },
): Promise<void> {
  await tx
    .insertInto('identities')
    .values({ issuer: identity.issuer, subject: identity.subject, member_id: identity.memberId })
    .execute()
}

export type NewMember = Pick<
  MemberRow,
  'public_id' | 'referral_code' | 'family_id' | 'email' | 'first_name' | 'last_name' | 'zip_code'
> &
  Partial<MemberRow>

export async function insertMember(tx: Tx, member: Omit<NewMember, 'id'>): Promise<MemberRow> {
  const { marketing, ...columns } = member
  return tx
    .insertInto('members')
    .values({ ...columns, marketing: JSON.stringify(marketing ?? {}) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function changeMember(
  tx: Tx,
  id: number,
  changes: Partial<Omit<MemberRow, 'id' | 'marketing'>>,
): Promise<MemberRow> {
  return tx
    .updateTable('members')
    .set({ ...changes, updated_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function insertCredentials(tx: Tx, memberId: number, passwordHash: string): Promise<void> {
  await tx.insertInto('credentials').values({ member_id: memberId, password_hash: passwordHash }).execute()
}

export interface Consent {
  memberId: number
  channel: 'email' | 'sms' | 'card' | 'terms'
  topic: string
  granted: boolean
  wording: string
  wordingVersion: string
  source: string
}

export async function insertConsent(tx: Tx, consent: Consent): Promise<void> {
  await tx
    .insertInto('consents')
    .values({
      member_id: consent.memberId,
      channel: consent.channel,
      topic: consent.topic,
      granted: consent.granted,
      wording: consent.wording,
      wording_version: consent.wordingVersion,
      source: consent.source,
    })
    .execute()
}
