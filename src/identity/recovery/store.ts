import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { fromNow } from '../../platform/database/from-now.ts'

export interface RecoveryRequest {
  userName: string
  /** Identifies the requesting browser. */
  browserHash: Buffer | null
}

export async function insertRequest(db: Db, { userName, browserHash }: RecoveryRequest): Promise<void> {
  await db.insertInto('recovery_requests').values({ user_name: userName, browser_hash: browserHash }).execute()
}

/** Removes and returns a request; undefined when it was processed. */
export async function takeRequest(tx: Tx, id: number): Promise<RecoveryRequest | undefined> {
  const row = await tx
    .deleteFrom('recovery_requests')
    .where('id', '=', id)
    .returning(['user_name', 'browser_hash'])
    .executeTakeFirst()
  return row && { userName: row.user_name, browserHash: row.browser_hash }
}

/** Returns the number of codes of a member within the given milliseconds. */
export async function codesWithin(tx: Tx, memberId: number, milliseconds: number): Promise<number> {
  const row = await tx
    .selectFrom('recoveries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('member_id', '=', memberId)
    .where('created_at', '>', fromNow(-milliseconds))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

interface NewRecovery {
  memberId: number
  /** The address that the code is sent to. */
  email: string
  codeHash: Buffer
  /** Digits for typing in the requesting browser; null for a code that is a link only. */
  digits: { browserHash: Buffer; hash: Buffer } | null
  lengthMs: number
}

/** Stores a code of a member. Earlier codes stay valid, because a stranger may have requested this one. */
export async function insertRecovery(
  tx: Tx,
  { memberId, email, codeHash, digits, lengthMs }: NewRecovery,
): Promise<number> {
  const row = await tx
    .insertInto('recoveries')
    .values({
      member_id: memberId,
      email,
      code_hash: codeHash,
      browser_hash: digits?.browserHash ?? null,
      digits_hash: digits?.hash ?? null,
      expires_at: fromNow(lengthMs),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/**
 * Counts an attempt with digits against every code that this browser requested, and returns those with attempts left.
 * The count is written before the comparison, so that concurrent attempts are counted as well.
 */
export async function countTry(
  db: Db,
  { browserHash, maxTries }: { browserHash: Buffer; maxTries: number },
): Promise<{ codeHash: Buffer; digitsHash: Buffer }[]> {
  const rows = await db
    .updateTable('recoveries')
    .set({ tries: sql<number>`tries + 1` })
    .where('browser_hash', '=', browserHash)
    .where('digits_hash', 'is not', null)
    .where('tries', '<', maxTries)
    .where('reset_hash', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['code_hash', 'digits_hash'])
    .execute()
  return rows.flatMap(({ code_hash, digits_hash }) =>
    digits_hash ? [{ codeHash: code_hash, digitsHash: digits_hash }] : [],
  )
}

/** Returns the member of a valid code. */
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
 * Exchanges a code for the right to set a password, and ends all other codes and rights of the member. Returns false
 * when it was used or ended meanwhile. The caller has locked the member, so that only one of two concurrent codes
 * counts.
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
  // Not now(), which is the start of this transaction: the code must also be expired for transactions that began
  // earlier.
  await tx
    .updateTable('recoveries')
    .set({ expires_at: sql<Date>`created_at` })
    .where('member_id', '=', memberId)
    .where('id', '<>', row.id)
    .where('expires_at', '>', sql<Date>`now()`)
    .execute()
  return true
}

/** Returns the member of a valid reset token without using it up. */
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

/**
 * Uses up a reset token whose code was sent to `email`. Returns false when a concurrent request has used it, and when the
 * member has another address now.
 */
export async function useReset(tx: Tx, resetHash: Buffer, email: string): Promise<boolean> {
  const row = await tx
    .updateTable('recoveries')
    .set({ used_at: sql<Date>`now()` })
    .where('reset_hash', '=', resetHash)
    .where(sql<boolean>`lower(email) = ${email.toLowerCase()}`)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Ends the codes and rights of a member; the rows still count toward the limit of emails. */
export async function endRecoveries(tx: Tx, memberId: number): Promise<number> {
  const ended = await tx
    .updateTable('recoveries')
    .set({ expires_at: sql<Date>`created_at` })
    .where('member_id', '=', memberId)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('id')
    .execute()
  return ended.length
}

/** Returns the number of linked cards of a member. */
export async function countCards(tx: Tx, memberId: number): Promise<number> {
  const row = await tx
    .selectFrom('cards')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('member_id', '=', memberId)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export async function deleteRecoveriesOf(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom('recoveries').where('member_id', '=', memberId).execute()
}

/** Deletes old codes, and requests that could not be processed for a day. */
export async function purgeRecoveries(db: Db): Promise<void> {
  await db.deleteFrom('recovery_requests').where('requested_at', '<', sql<Date>`now() - interval '1 day'`).execute()
  await db.deleteFrom('recoveries').where('expires_at', '<', sql<Date>`now() - interval '1 day'`).execute()
}
