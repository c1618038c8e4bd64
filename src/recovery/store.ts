import { sql } from 'kysely'
import type { Db, Tx } from '../kit/server/db.ts'
import { SECOND } from '../kit/time.ts'

const after = (milliseconds: number) => sql<Date>`now() + make_interval(secs => ${milliseconds / SECOND})`
const before = (milliseconds: number) => sql<Date>`now() - make_interval(secs => ${milliseconds / SECOND})`

export async function insertRequest(db: Db, userName: string): Promise<void> {
  await db.insertInto('recovery_requests').values({ user_name: userName }).execute()
}

/** Takes out one request that nobody else has in hand. */
export async function takeRequest(tx: Tx): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('recovery_requests')
    .where('id', '=', (query) =>
      query.selectFrom('recovery_requests').select('id').orderBy('id').limit(1).forUpdate().skipLocked(),
    )
    .returning('user_name')
    .executeTakeFirst()
  return row?.user_name
}

/** How many codes a member was given within so many milliseconds. */
export async function codesWithin(tx: Tx, memberId: number, milliseconds: number): Promise<number> {
  const row = await tx
    .selectFrom('recoveries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('member_id', '=', memberId)
    .where('created_at', '>', before(milliseconds))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Gives a member a code. Those given before stay valid: whoever asked for this one may be a stranger. */
export async function insertRecovery(
  tx: Tx,
  { memberId, codeHash, lengthMs }: { memberId: number; codeHash: Buffer; lengthMs: number },
): Promise<number> {
  const row = await tx
    .insertInto('recoveries')
    .values({ member_id: memberId, code_hash: codeHash, expires_at: after(lengthMs) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Whose code this is, while it can be exchanged. */
export async function findCode(tx: Tx, codeHash: Buffer): Promise<number | undefined> {
  const row = await tx
    .selectFrom('recoveries')
    .select('member_id')
    .where('code_hash', '=', codeHash)
    .where('reset_hash', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row?.member_id
}

/**
 * Exchanges a code for the right to set a password, and ends every other code and right of the member; false when it
 * was used or ended meanwhile. The member is locked: of two codes at once one counts.
 */
export async function exchangeCode(
  tx: Tx,
  { memberId, codeHash, resetHash }: { memberId: number; codeHash: Buffer; resetHash: Buffer },
): Promise<boolean> {
  const row = await tx
    .updateTable('recoveries')
    .set({ reset_hash: resetHash })
    .where('code_hash', '=', codeHash)
    .where('reset_hash', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('id')
    .executeTakeFirst()
  if (!row) return false
  // In the past for a transaction that began before this one, too: now() is when a transaction began.
  await tx
    .updateTable('recoveries')
    .set({ expires_at: sql<Date>`created_at` })
    .where('member_id', '=', memberId)
    .where('id', '<>', row.id)
    .where('expires_at', '>', sql<Date>`now()`)
    .execute()
  return true
}

/** Whose password a reset token may set, while it may; nothing is used up. */
export async function findReset(db: Db, resetHash: Buffer): Promise<number | undefined> {
  const row = await db
    .selectFrom('recoveries')
    .select('member_id')
    .where('reset_hash', '=', resetHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row?.member_id
}

/** Uses the right up; false when it was used at this very moment. */
export async function useReset(tx: Tx, resetHash: Buffer): Promise<boolean> {
  const row = await tx
    .updateTable('recoveries')
    .set({ used_at: sql<Date>`now()` })
    .where('reset_hash', '=', resetHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteRecoveriesOf(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom('recoveries').where('member_id', '=', memberId).execute()
}

export async function sweepRecoveries(db: Db): Promise<void> {
  await db.deleteFrom('recoveries').where('expires_at', '<', sql<Date>`now() - interval '1 day'`).execute()
}
