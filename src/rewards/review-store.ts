import { sql } from 'kysely'
import type { Db, Tx } from '../kit/server/db.ts'

/** Cleared meals eaten before a moment that still wait for their review. */
export async function mealsAwaitingReview(db: Db, before: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('transactions')
    .select('id')
    .where('award_status', '=', 'Pending')
    .where('stage', '=', 'cleared')
    .where('dined_at', '<=', before)
    .orderBy('dined_at')
    .limit(500)
    .execute()
  return rows.map((row) => row.id)
}

/** Of those that wait, eaten before a moment, the ones whose member was not told. */
export async function mealsReviewDue(db: Db, before: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from transactions t
    where award_status = 'Pending' and stage = 'cleared' and dined_at <= ${before} and not exists (
      select from notices n where n.partner_id = t.partner_id and n.member_id = t.member_id and n.topic = 'reviewDue' and n.about = t.public_id)
    order by dined_at limit 200`.execute(db)
  return rows.map((row) => row.id)
}

/** Keeps with the decision what has become of the review. */
export async function setReview(tx: Tx, id: number, review: 'done' | 'expired'): Promise<void> {
  await tx
    .updateTable('transactions')
    .set({ reason: sql`jsonb_set(reason, '{inputs,review}', to_jsonb(${review}::text))` })
    .where('id', '=', id)
    .where(sql<boolean>`reason ? 'inputs'`)
    .execute()
}
