import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import { fromNow } from '../../platform/database/from-now.ts'

/** Marks a proof as used. Returns false when it was used before. `lengthMs` is the proof's lifetime. */
export async function spendToken(db: Db, token: string, lengthMs: number): Promise<boolean> {
  const row = await db
    .insertInto('used_bot_check_proofs')
    .values({
      proof_hash: createHash('sha256').update(token).digest(),
      expires_at: fromNow(2 * lengthMs),
    })
    .onConflict((conflict) => conflict.columns(['partner_id', 'proof_hash']).doNothing())
    .returning('proof_hash')
    .executeTakeFirst()
  return row !== undefined
}

export async function purgeSpentTokens(db: Db): Promise<void> {
  await db.deleteFrom('used_bot_check_proofs').where('expires_at', '<', sql<Date>`now()`).execute()
}
