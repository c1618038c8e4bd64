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

/** Gives a member a code; those given before are worth nothing from now on. */
export async function insertRecovery(
  tx: Tx,
  { memberId, codeHash, lengthMs }: { memberId: number; codeHash: Buffer; lengthMs: number },
): Promise<number> {
  await tx
    .updateTable('recoveries')
    .set({ expires_at: sql<Date>`now()` })
    .where('member_id', '=', memberId)
    .where('expires_at', '>', sql<Date>`now()`)
    .execute()
  const row = await tx
    .insertInto('recoveries')
    .values({ member_id: memberId, code_hash: codeHash, expires_at: after(lengthMs) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Exchanges a code for the right to set a password; false when it is wrong, old, or was used. */
export async function exchangeCode(db: Db, codeHash: Buffer, resetHash: Buffer): Promise<boolean> {
  const row = await db
    .updateTable('recoveries')
    .set({ reset_hash: resetHash })
    .where('code_hash', '=', codeHash)
    .where('reset_hash', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
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
