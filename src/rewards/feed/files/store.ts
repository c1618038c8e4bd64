import { type Selectable, sql } from 'kysely'
import type { FeedFiles } from '../../../../db/schema.ts'
import { type Db, inTransaction } from '../../../platform/database/db.ts'

export type FileRow = Selectable<FeedFiles>

/** Returns the progress of a file, identified by its content; inserts a new row for an unknown file. */
export async function findOrCreateFile(db: Db, { hash, name }: { hash: string; name: string }): Promise<FileRow> {
  await db
    .insertInto('feed_files')
    .values({ content_hash: hash, name })
    .onConflict((conflict) => conflict.columns(['partner_id', 'content_hash']).doNothing())
    .execute()
  return db
    .selectFrom('feed_files')
    .selectAll()
    .where('partner_id', '=', sql<string>`current_partner()`)
    .where('content_hash', '=', hash)
    .executeTakeFirstOrThrow()
}

export const tallied = ['applied', 'unmatched', 'repeated', 'ignored', 'rejected'] as const
export type Tally = Record<(typeof tallied)[number], number>

/** Returns how many lines had a message: neither the heading of a CSV file nor an empty line counts. */
export const countLines = (tally: Tally): number => tallied.reduce((sum, name) => sum + tally[name], 0)

export interface Fault {
  line: number
  code: string
  /** What is wrong, a sentence each; files of earlier versions have none. */
  texts?: readonly string[]
}

/** Records that everything up to a line is stored, with the results; `fresh` are the rejected lines since the last time. */
export async function recordProgress(
  db: Db,
  id: number,
  {
    line,
    tally,
    faults,
    fresh = [],
  }: { line: number; tally: Tally; faults: readonly Fault[]; fresh?: readonly Fault[] },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx
      .updateTable('feed_files')
      .set({ lines_read: line, ...tally, faults: JSON.stringify(faults) })
      .where('id', '=', id)
      .execute()
    if (fresh.length === 0) return
    await tx
      .insertInto('feed_file_faults')
      .values(
        fresh.map(({ line: at, code, texts = [] }) => ({
          partner_id: sql<string>`current_partner()`,
          file_id: id,
          line: at,
          code,
          texts: [...texts],
        })),
      )
      .onConflict((conflict) => conflict.columns(['file_id', 'line']).doNothing())
      .execute()
  })
}

export async function finishFile(db: Db, id: number): Promise<void> {
  await db.updateTable('feed_files').set({ finished_at: sql<Date>`now()` }).where('id', '=', id).execute()
}
