import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'

export interface ImpressionRow {
  happened_at: string
  event_name: string
  member_id: number | null
  merchant_id: string | null
  url: string
  user_agent: string
}

export async function insertImpressions(db: Db, rows: readonly ImpressionRow[]): Promise<void> {
  await db.insertInto('impressions').values(rows).execute()
}

/** Creates partitions for the coming months and drops those older than `retainMonths`. Returns how many were dropped. */
export async function rotateImpressionPartitions(shared: Db, retainMonths: number): Promise<number> {
  const { rows } = await sql<{
    dropped: number
  }>`select rotate_impression_partitions(${retainMonths}) as dropped`.execute(shared)
  return rows[0]?.dropped ?? 0
}

/** Deletes a member's events. */
export async function deleteMemberImpressions(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom('impressions').where('member_id', '=', memberId).execute()
}
