import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'

/** Upserts a prospect of this connection's partner by address. */
export async function saveProspect(
  db: Db,
  email: string,
  marketing: Record<string, string | undefined>,
): Promise<void> {
  const marketingJson = JSON.stringify(marketing)
  await db
    .insertInto('prospects')
    .values({ email, marketing: marketingJson })
    .onConflict((conflict) =>
      conflict
        .expression(sql`partner_id, lower(email)`)
        .doUpdateSet({ marketing: marketingJson, last_seen_at: sql`now()` }),
    )
    .execute()
}

/** Deletes addresses that were not entered again for a year. */
export async function purgeProspects(db: Db): Promise<void> {
  await db.deleteFrom('prospects').where('last_seen_at', '<', sql<Date>`now() - interval '1 year'`).execute()
}

export async function deleteProspect(tx: Tx, email: string): Promise<void> {
  await tx.deleteFrom('prospects').where(sql`lower(email)`, '=', email.toLowerCase()).execute()
}
