import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'

/** Identifiers by which a person or a card of a former account is recognized. */
export interface MemberIdentifiers {
  email?: string | undefined
  partnerNumber?: string | null | undefined
  /** The vault's fingerprints of cards. */
  fingerprints?: readonly string[]
}

/** Days after which the hashes of a deleted account are deleted. */
const retentionDays = 730

/** Returns keyed hashes of the identifiers, each bound to its kind: they can be compared but not reversed. */
function hashIdentifiers(key: Buffer, { email, partnerNumber, fingerprints = [] }: MemberIdentifiers): Buffer[] {
  const hash = (kind: string, value: string) => createHmac('sha256', key).update(`${kind}:${value}`).digest()
  return [
    ...(email ? [hash('email', email.trim().toLowerCase())] : []),
    ...(partnerNumber ? [hash('number', partnerNumber.trim().toLowerCase())] : []),
    ...fingerprints.map((fingerprint) => hash('card', fingerprint)),
  ]
}

/** Stores the hashed identifiers of an account that has earned, in the transaction that deletes it. */
export async function storeFormerMember(tx: Tx, key: Buffer, identifiers: MemberIdentifiers): Promise<void> {
  const hashes = hashIdentifiers(key, identifiers)
  if (hashes.length === 0) return
  await tx
    .insertInto('former_member_identifiers')
    .values(hashes.map((hash) => ({ identifier_hash: hash })))
    .onConflict((conflict) =>
      conflict.columns(['partner_id', 'identifier_hash']).doUpdateSet({ recorded_at: sql<Date>`now()` }),
    )
    .execute()
}

/** Returns true when any of these identifiers belonged to a deleted account. */
export async function isFormerMember(tx: Tx, key: Buffer, identifiers: MemberIdentifiers): Promise<boolean> {
  const hashes = hashIdentifiers(key, identifiers)
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
