import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { fromNow } from '../../platform/database/from-now.ts'

/** Returns the number of codes that were sent to a member within the given milliseconds. */
export async function codesWithin(tx: Tx, memberId: number, milliseconds: number): Promise<number> {
  const row = await tx
    .selectFrom('email_verifications')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('member_id', '=', memberId)
    .where('created_at', '>', fromNow(-milliseconds))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export async function insertCode(
  tx: Tx,
  { memberId, email, codeHash, lengthMs }: { memberId: number; email: string; codeHash: Buffer; lengthMs: number },
): Promise<number> {
  const row = await tx
    .insertInto('email_verifications')
    .values({ member_id: memberId, email, code_hash: codeHash, expires_at: fromNow(lengthMs) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Uses up a code that was sent to this address. Returns false when it is wrong, expired or over. */
export async function takeCode(
  tx: Tx,
  { memberId, email, codeHash, maxTries }: { memberId: number; email: string; codeHash: Buffer; maxTries: number },
): Promise<boolean> {
  const row = await tx
    .updateTable('email_verifications')
    .set({ used_at: sql<Date>`now()` })
    .where('member_id', '=', memberId)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('code_hash', '=', codeHash)
    .where('tries', '<', maxTries)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Counts a wrong code against every code of the member. */
export async function countTry(tx: Tx, memberId: number): Promise<void> {
  await tx
    .updateTable('email_verifications')
    .set({ tries: sql<number>`least(tries + 1, 1000)` })
    .where('member_id', '=', memberId)
    .execute()
}

/** Ends the codes of a member; the rows still count toward the limit of emails. */
export async function endCodes(tx: Tx, memberId: number): Promise<number> {
  const ended = await tx
    .updateTable('email_verifications')
    // Not now(), which is the start of this transaction.
    .set({ expires_at: sql<Date>`created_at` })
    .where('member_id', '=', memberId)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('id')
    .execute()
  return ended.length
}

export async function deleteCodesOf(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom('email_verifications').where('member_id', '=', memberId).execute()
}

/** Deletes codes that expired a day ago. */
export async function purgeCodes(db: Db): Promise<void> {
  await db.deleteFrom('email_verifications').where('expires_at', '<', sql<Date>`now() - interval '1 day'`).execute()
}
