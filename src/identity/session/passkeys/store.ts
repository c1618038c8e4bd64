import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/db.ts'
import { fromNow } from '../../../platform/database/from-now.ts'
import { MINUTE } from '../../../platform/time.ts'

export interface PasskeyRow {
  id: number
  publicId: string
  memberId: number
  credentialId: string
  publicKey: Buffer
  counter: number
  transports: string[]
  name: string
  createdAt: Date
  usedAt: Date | null
}

const columns = [
  'id',
  'public_id as publicId',
  'member_id as memberId',
  'credential_id as credentialId',
  'public_key as publicKey',
  'counter',
  'transports',
  'name',
  'created_at as createdAt',
  'used_at as usedAt',
] as const

export async function listPasskeys(db: Db | Tx, memberId: number): Promise<PasskeyRow[]> {
  return db.selectFrom('passkeys').select(columns).where('member_id', '=', memberId).orderBy('id').execute()
}

/** Returns the member of a credential id. */
export async function findHolder(tx: Tx, credentialId: string): Promise<number | undefined> {
  const row = await tx
    .selectFrom('passkeys')
    .select('member_id')
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
  return row?.member_id
}

/** Returns the passkey of a credential id, locked, because its counter is compared and updated in one transaction. */
export async function lockPasskey(tx: Tx, credentialId: string): Promise<PasskeyRow | undefined> {
  return tx
    .selectFrom('passkeys')
    .select(columns)
    .where('credential_id', '=', credentialId)
    .forUpdate()
    .executeTakeFirst()
}

export async function insertPasskey(
  tx: Tx,
  passkey: Pick<PasskeyRow, 'memberId' | 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'name'>,
): Promise<PasskeyRow> {
  return tx
    .insertInto('passkeys')
    .values({
      member_id: passkey.memberId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports,
      name: passkey.name,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function markUsed(tx: Tx, id: number, counter: number): Promise<void> {
  await tx.updateTable('passkeys').set({ counter, used_at: sql<Date>`now()` }).where('id', '=', id).execute()
}

/** Returns the name of the deleted passkey; undefined when this member has none with this id. */
export async function deletePasskey(tx: Tx, memberId: number, publicId: string): Promise<string | undefined> {
  const gone = await tx
    .deleteFrom('passkeys')
    .where('member_id', '=', memberId)
    .where('public_id', '=', publicId)
    .returning('name')
    .executeTakeFirst()
  return gone?.name
}

/** Deletes all passkeys of a member. Returns their names. */
export async function deletePasskeysOf(tx: Tx, memberId: number): Promise<string[]> {
  const rows = await tx.deleteFrom('passkeys').where('member_id', '=', memberId).returning('name').execute()
  return rows.map(({ name }) => name)
}

export type Purpose = 'add' | 'sign-in'

/** Stores the challenge of a session for a purpose; a new one replaces an older one. */
export async function storeChallenge(
  db: Db,
  { sessionId, purpose, challenge }: { sessionId: Buffer; purpose: Purpose; challenge: string },
): Promise<void> {
  const values = { challenge, expires_at: fromNow(5 * MINUTE) }
  await db
    .insertInto('passkey_challenges')
    .values({ session_id_hash: sessionId, purpose, ...values })
    .onConflict((conflict) => conflict.columns(['partner_id', 'session_id_hash', 'purpose']).doUpdateSet(values))
    .execute()
}

/** Removes and returns the challenge, so that it can be used only once, even if the response fails. */
export async function takeChallenge(db: Db, sessionId: Buffer, purpose: Purpose): Promise<string | undefined> {
  const row = await db
    .deleteFrom('passkey_challenges')
    .where('session_id_hash', '=', sessionId)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('challenge')
    .executeTakeFirst()
  return row?.challenge
}
