import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { deriveKey } from '../../platform/config/settings.ts'
import type { Db, Tx } from '../../platform/database/db.ts'

declare module '../../platform/http/context.ts' {
  interface Ctx {
    /** Key of the hashes by which a person, or a card, of a deleted account is recognized. */
    returningKey: Buffer
  }
}

/** Returns `Ctx.returningKey` of an installation. */
export const deriveReturningKey = (appSecret: string): Buffer => deriveKey(appSecret, 'returning-member')

/** Identifiers by which a person or a card of a former account is recognized. */
export interface MemberIdentifiers {
  email?: string | undefined
  partnerNumber?: string | null | undefined
  /** The vault's fingerprints of cards. */
  fingerprints?: readonly string[]
}

/** Days after which the hashes of a deleted account are deleted. */
const retentionDays = 730

const hashOf = (key: Buffer, kind: 'email' | 'number' | 'card', value: string): Buffer =>
  createHmac('sha256', key).update(`${kind}:${value}`).digest()

/** Returns the keyed hash of a card's fingerprint: it can be compared but not reversed. */
export const hashCard = (key: Buffer, fingerprint: string): Buffer => hashOf(key, 'card', fingerprint)

/** Returns the keyed hashes of what identifies a person, each bound to its kind. */
export function hashPerson(
  key: Buffer,
  { email, partnerNumber }: Pick<MemberIdentifiers, 'email' | 'partnerNumber'>,
): Buffer[] {
  return [
    ...(email ? [hashOf(key, 'email', email.trim().toLowerCase())] : []),
    ...(partnerNumber ? [hashOf(key, 'number', partnerNumber.trim().toLowerCase())] : []),
  ]
}

/** A deleted account: what identified its member, and every card that it has had. */
export interface FormerAccount extends Pick<MemberIdentifiers, 'email' | 'partnerNumber'> {
  memberId: number
  /** Whether the address was proved to be the member's. One that was only typed says nothing about its owner's debts. */
  isEmailVerified?: boolean
  cards: readonly { id: number; fingerprint: string }[]
}

/**
 * Stores the hashed identifiers of an account that has earned, in the transaction that deletes it. Each finds the account
 * again, and what it owes, except an address that was not verified.
 */
export async function storeFormerMember(tx: Tx, key: Buffer, account: FormerAccount): Promise<void> {
  const { memberId, email, isEmailVerified = false, partnerNumber, cards } = account
  const hashes = [
    ...hashPerson(key, { email }).map((hash) => hashRow(hash, isEmailVerified ? memberId : null)),
    ...hashPerson(key, { partnerNumber }).map((hash) => hashRow(hash, memberId)),
    ...cards.map(({ id, fingerprint }) => hashRow(hashCard(key, fingerprint), memberId, id)),
  ]
  if (hashes.length === 0) return
  await tx.insertInto('former_member_identifiers').values(hashes).execute()
}

const hashRow = (hash: Buffer, memberId: number | null, cardId: number | null = null) => ({
  identifier_hash: hash,
  member_id: memberId,
  card_id: cardId,
})

/** Returns true when any of these identifiers belonged to a deleted account. */
export async function isFormerMember(tx: Tx, key: Buffer, identifiers: MemberIdentifiers): Promise<boolean> {
  const { fingerprints = [] } = identifiers
  const hashes = [...hashPerson(key, identifiers), ...fingerprints.map((each) => hashCard(key, each))]
  if (hashes.length === 0) return false
  const row = await tx
    .selectFrom('former_member_identifiers')
    .select('identifier_hash')
    .where('identifier_hash', 'in', hashes)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes hashes that are older than `retentionDays`. */
export async function purgeFormerMembers(db: Db): Promise<void> {
  await sql`delete from former_member_identifiers where partner_id = current_partner()
    and recorded_at < now() - make_interval(days => ${retentionDays})`.execute(db)
}
