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
  /** Whether the address was proved to be the member's. One that was only typed says nothing about its owner. */
  isEmailVerified?: boolean
  cards: readonly { id: number; fingerprint: string }[]
}

/**
 * Stores the hashed identifiers of an account that has earned, in the transaction that deletes it. Each finds the account
 * again: what it owes, and which bonuses it has had. An address that was not verified is not stored: whoever typed it
 * would take the bonuses of its owner.
 */
export async function storeFormerMember(tx: Tx, key: Buffer, account: FormerAccount): Promise<void> {
  const { memberId, email, isEmailVerified = false, partnerNumber, cards } = account
  const hashes = [
    ...hashPerson(key, { email: isEmailVerified ? email : undefined, partnerNumber }).map((hash) => hashRow(hash)),
    ...cards.map(({ id, fingerprint }) => hashRow(hashCard(key, fingerprint), id)),
  ]
  if (hashes.length === 0) return
  const rows = hashes.map((each) => ({ ...each, member_id: memberId }))
  await tx.insertInto('former_member_identifiers').values(rows).execute()
}

const hashRow = (hash: Buffer, cardId: number | null = null) => ({ identifier_hash: hash, card_id: cardId })

/**
 * Returns true when any of these identifiers belonged to a deleted account. An address counts only if that account had
 * proved it; hashes from before accounts were stored with them prove nothing about a person.
 */
export async function isFormerMember(tx: Tx, key: Buffer, identifiers: MemberIdentifiers): Promise<boolean> {
  const { fingerprints = [] } = identifiers
  const [person, cards] = [hashPerson(key, identifiers), fingerprints.map((each) => hashCard(key, each))]
  if (person.length + cards.length === 0) return false
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from former_member_identifiers
      where partner_id = current_partner() and (identifier_hash = any(${cards}::bytea[])
        or (identifier_hash = any(${person}::bytea[]) and member_id is not null))) as known`.execute(tx)
  return rows[0]?.known ?? false
}

/** Deletes hashes that are older than `retentionDays`. */
export async function purgeFormerMembers(db: Db): Promise<void> {
  await sql`delete from former_member_identifiers where partner_id = current_partner()
    and recorded_at < now() - make_interval(days => ${retentionDays})`.execute(db)
}
