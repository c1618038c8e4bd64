import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Members } from '../../../db/schema.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { toAsciiEmail } from '../../platform/email-address.ts'
import { ApiError } from '../../platform/errors.ts'

export type MemberRow = Selectable<Members>

export async function findMember(db: Db | Tx, id: number): Promise<MemberRow | undefined> {
  return db.selectFrom('members').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function findByPublicId(db: Db | Tx, publicId: string): Promise<MemberRow | undefined> {
  return db.selectFrom('members').selectAll().where('public_id', '=', publicId).executeTakeFirst()
}

/**
 * Locks the member row for the rest of the transaction; all counts per member use this lock. Of an account that was merged
 * into another one, that one is locked too: it has the rows now that the caller has read before.
 */
export async function lockMember(tx: Tx, id: number): Promise<MemberRow | undefined> {
  const member = await tx.selectFrom('members').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (member && member.merged_into_id !== null)
    await tx.selectFrom('members').select('id').where('id', '=', member.merged_into_id).forUpdate().execute()
  return member
}

/** Returns whether a member's account is there to be used: neither deleted nor merged into another one. */
export const isStanding = ({ deleted_at, merged_into_id }: Pick<MemberRow, 'deleted_at' | 'merged_into_id'>): boolean =>
  deleted_at === null && merged_into_id === null

/**
 * Locks a member with an open account, for the member's own actions. Throws `unauthorized` once the account is deleted or
 * merged: a request with a live session may have waited for that to finish.
 */
export async function lockOpenMember(tx: Tx, id: number): Promise<MemberRow> {
  const member = await lockMember(tx, id)
  if (!member || !isStanding(member)) throw new ApiError('unauthorized')
  return member
}

const eligibilityColumns = [
  'id',
  'active',
  'member_type',
  'tier_level',
  'tier_since',
  'vip_from',
  'vip_until',
  'email_opt_in',
] as const

/** The member columns that decide about transactions. */
export type MemberEligibility = Pick<MemberRow, (typeof eligibilityColumns)[number]>

/** Locks members in a fixed order, so that concurrent callers cannot deadlock. */
export async function lockMembers(
  tx: Tx,
  ids: readonly number[] | RawBuilder<number[]>,
): Promise<Map<number, MemberEligibility>> {
  const rows = await tx
    .selectFrom('members')
    .select(eligibilityColumns)
    .where('id', '=', sql<number>`any(${ids})`)
    .orderBy('id')
    .forUpdate()
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export interface StoredPassword {
  passwordHash: string
  /** Chosen when longer passwords were cut after 56 characters. */
  mayBeCut: boolean
}

export interface Credentials extends StoredPassword {
  memberId: number
}

/** An address that a provider states without having verified it identifies nobody. */
const hasEmail = (email: string) =>
  sql<boolean>`lower(email) = ${toAsciiEmail(email).toLowerCase()} and email_identifies`

/** Finds credentials by email or, where programs have them, partner number; both in lower case. */
export async function findCredentials(
  db: Db,
  name: string,
  byPartnerNumber: boolean,
): Promise<Credentials | undefined> {
  const row = await db
    .selectFrom('members')
    .innerJoin('credentials', 'credentials.member_id', 'members.id')
    .select([
      'members.id as memberId',
      'credentials.password_hash as passwordHash',
      'credentials.may_be_cut as mayBeCut',
    ])
    .where((where) =>
      where.or([hasEmail(name), ...(byPartnerNumber ? [where(sql`lower(partner_number)`, '=', name)] : [])]),
    )
    .executeTakeFirst()
  return row
}

/** Returns the member whom this address identifies, verified or not. */
export async function findByEmail(db: Db | Tx, email: string): Promise<MemberRow | undefined> {
  return db.selectFrom('members').selectAll().where(hasEmail(email)).executeTakeFirst()
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

export interface LinkedIdentity {
  issuer: string
  subject: string
  memberId: number
}

/** Links an identity to a member, and to no other one. */
export async function saveIdentity(tx: Tx, { issuer, subject, memberId }: LinkedIdentity): Promise<void> {
  await tx.deleteFrom('identities').where('issuer', '=', issuer).where('subject', '=', subject).execute()
  await tx.insertInto('identities').values({ issuer, subject, member_id: memberId }).execute()
}

/** Returns whether a member has another identity than this one. */
export async function hasOtherIdentity(tx: Tx, { issuer, subject, memberId }: LinkedIdentity): Promise<boolean> {
  const other = await tx
    .selectFrom('identities')
    .select('subject')
    .where('member_id', '=', memberId)
    .where((where) => where.or([where('issuer', '<>', issuer), where('subject', '<>', subject)]))
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** Returns whether a member is a customer of a provider. */
export async function hasIdentityOf(tx: Tx, issuer: string, memberId: number): Promise<boolean> {
  const own = await tx
    .selectFrom('identities')
    .select('subject')
    .where('member_id', '=', memberId)
    .where('issuer', '=', issuer)
    .limit(1)
    .executeTakeFirst()
  return own !== undefined
}

/** Unlinks all identities of a member. Returns their number. */
export async function deleteIdentities(tx: Tx, memberId: number): Promise<number> {
  const rows = await tx.deleteFrom('identities').where('member_id', '=', memberId).returning('subject').execute()
  return rows.length
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

export async function findPassword(db: Db | Tx, memberId: number): Promise<StoredPassword | undefined> {
  return db
    .selectFrom('credentials')
    .select(['password_hash as passwordHash', 'may_be_cut as mayBeCut'])
    .where('member_id', '=', memberId)
    .executeTakeFirst()
}

/** Sets or replaces the password of a member. */
export async function saveCredentials(tx: Tx, memberId: number, passwordHash: string): Promise<void> {
  const password = { password_hash: passwordHash, may_be_cut: false }
  await tx
    .insertInto('credentials')
    .values({ member_id: memberId, ...password })
    .onConflict((conflict) => conflict.column('member_id').doUpdateSet({ ...password, updated_at: sql<Date>`now()` }))
    .execute()
}

/** Finds a member by email address or, where programs have them, partner number; in lower case. */
export async function findByName(db: Db | Tx, name: string, byPartnerNumber: boolean): Promise<MemberRow | undefined> {
  return db
    .selectFrom('members')
    .selectAll()
    .where((where) =>
      where.or([hasEmail(name), ...(byPartnerNumber ? [where(sql`lower(partner_number)`, '=', name)] : [])]),
    )
    .where('deleted_at', 'is', null)
    .where('merged_into_id', 'is', null)
    .executeTakeFirst()
}

export interface Consent {
  memberId: number
  channel: 'email' | 'sms' | 'card' | 'terms'
  topic: string
  granted: boolean
  consentText: string
  version: string
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
      consent_text: consent.consentText,
      consent_text_version: consent.version,
      source: consent.source,
    })
    .execute()
}

/** Redacts all personal data of a member. Columns that the ledger needs remain, with random identifiers. */
export async function redactMember(
  tx: Tx,
  id: number,
  names: Pick<MemberRow, 'public_id' | 'referral_code' | 'family_id'>,
): Promise<void> {
  await tx
    .updateTable('members')
    .set({
      ...names,
      email: `${names.public_id}@deleted.invalid`,
      first_name: '',
      last_name: '',
      phone_number: null,
      sms_opt_in: false,
      email_opt_in: false,
      address1: '',
      address2: '',
      city: '',
      state: '',
      zip_code: '',
      partner_number: null,
      tier_level: 'OptedOut',
      member_type: 'ClosedAccountMember',
      has_web_profile: false,
      active: false,
      enrollment_source: null,
      marketing: '{}',
      must_fix_credentials: false,
      email_verified_at: null,
      deleted_at: sql<Date>`now()`,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute()
  await tx.deleteFrom('credentials').where('member_id', '=', id).execute()
  await tx.deleteFrom('identities').where('member_id', '=', id).execute()
}

export interface StoredConsent {
  channel: Consent['channel']
  topic: string
  granted: boolean
  wording: string
  version: string
  source: string
  givenAt: Date
}

/** Returns every consent that a member has given or withdrawn, latest first. */
export async function listConsents(db: Db | Tx, memberId: number): Promise<StoredConsent[]> {
  const rows = await db
    .selectFrom('consents')
    .select([
      'channel',
      'topic',
      'granted',
      'consent_text as wording',
      'consent_text_version as version',
      'source',
      'given_at as givenAt',
    ])
    .where('member_id', '=', memberId)
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({ ...row, channel: row.channel as Consent['channel'] }))
}
