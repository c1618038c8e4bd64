import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import { UnreadableFile } from '../../platform/files/read-lines.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { importBytes } from './files/import-file.ts'

interface Upload {
  id: number
  name: string
  format: 'csv' | 'ndjson'
  bytes: Buffer
}

/**
 * Imports an uploaded file, for its job. One that was interrupted goes on where it stopped. A file that cannot be read is
 * not tried again: its row says why.
 */
export async function importUpload(ctx: Ctx, id: number): Promise<void> {
  const { rows } = await sql<Upload>`
    select u.id, f.name, u.format, u.bytes from feed_uploads u join feed_files f on f.id = u.file_id
    where u.id = ${id} and u.done_at is null`.execute(ctx.db)
  const [upload] = rows
  if (!upload) return
  let failure: string | null = null
  try {
    await importBytes(ctx, upload)
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    failure = error.message.slice(0, 500)
  }
  await sql`update feed_uploads set done_at = now(), failure = ${failure} where id = ${id}`.execute(ctx.db)
}

/** Deletes the contents of files that were uploaded over thirty days ago. */
export async function purgeUploads(db: Db): Promise<void> {
  await sql`delete from feed_uploads where done_at < now() - interval '30 days'`.execute(db)
}
