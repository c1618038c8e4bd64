import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'

export interface OperatorPasskey {
  id: number
  credentialId: string
  publicKey: Buffer
  counter: number
  transports: string[]
  name: string
  createdAt: Date
}

const columns = [
  'id',
  'credential_id as credentialId',
  'public_key as publicKey',
  'counter',
  'transports',
  'name',
  'created_at as createdAt',
] as const

export async function listPasskeys(db: Db | Tx, operatorId: number): Promise<OperatorPasskey[]> {
  return db.selectFrom('console.passkeys').select(columns).where('operator_id', '=', operatorId).orderBy('id').execute()
}

export async function hasPasskeys(db: Db, operatorId: number): Promise<boolean> {
  return (await listPasskeys(db, operatorId)).length > 0
}

export async function lockPasskey(
  tx: Tx,
  operatorId: number,
  credentialId: string,
): Promise<OperatorPasskey | undefined> {
  return tx
    .selectFrom('console.passkeys')
    .select(columns)
    .where('operator_id', '=', operatorId)
    .where('credential_id', '=', credentialId)
    .forUpdate()
    .executeTakeFirst()
}

/** Returns false when the passkey is already registered. */
export async function insertPasskey(
  tx: Tx,
  passkey: Omit<OperatorPasskey, 'id' | 'createdAt'> & { operatorId: number },
): Promise<boolean> {
  const added = await tx
    .insertInto('console.passkeys')
    .values({
      operator_id: passkey.operatorId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports,
      name: passkey.name,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return added !== undefined
}

export async function updateCounter(tx: Tx, id: number, counter: number): Promise<void> {
  await tx.updateTable('console.passkeys').set({ counter }).where('id', '=', id).execute()
}

export async function deletePasskey(db: Db, operatorId: number, id: number): Promise<void> {
  await db.deleteFrom('console.passkeys').where('operator_id', '=', operatorId).where('id', '=', id).execute()
}

/** Stores the open challenge of a session; replaces an earlier one and expires after five minutes. */
export async function storeChallenge(db: Db, idHash: Buffer, challenge: string): Promise<void> {
  await db
    .updateTable('console.sessions')
    .set({ challenge, challenge_until: sql<Date>`now() + interval '5 minutes'` })
    .where('id_hash', '=', idHash)
    .execute()
}

/** Removes and returns the challenge: it can be used only once, even by concurrent responses. */
export async function takeChallenge(db: Db, idHash: Buffer): Promise<string | null> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('console.sessions')
      .select('challenge')
      .where('id_hash', '=', idHash)
      .where('challenge_until', '>', sql<Date>`now()`)
      .forUpdate()
      .executeTakeFirst()
    await tx.updateTable('console.sessions').set({ challenge: null }).where('id_hash', '=', idHash).execute()
    return row?.challenge ?? null
  })
}

/** Returns false when the session has ended. */
export async function markPasskeyVerified(tx: Tx, idHash: Buffer): Promise<boolean> {
  const marked = await tx
    .updateTable('console.sessions')
    .set({ authenticated_at: sql<Date>`now()` })
    .where('id_hash', '=', idHash)
    .returning('operator_id')
    .executeTakeFirst()
  return marked !== undefined
}
