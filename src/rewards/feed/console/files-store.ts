import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/db.ts'
import { listPage, type Order, type PageRequest } from '../../../platform/database/keyset.ts'
import { rowSource } from '../../../platform/database/rows.ts'
import { contains } from '../../../platform/database/text-match.ts'
import type { FeedEvent } from '../contract.ts'
import type { Fault, Tally } from '../files/store.ts'
import { updatedAt } from '../message.ts'

const newestFirst: Order = { by: sql`f.started_at`, type: 'timestamptz', id: sql`f.id`, direction: 'desc' }

export interface FileRow extends Tally {
  id: number
  name: string
  startedAt: Date
  finishedAt: Date | null
  uploadedBy: string | null
  uploadedAt: Date | null
  doneAt: Date | null
  failure: string | null
}

const columns = sql`f.id, f.name, f.started_at as "startedAt", f.finished_at as "finishedAt", f.applied, f.unmatched, f.repeated, f.ignored, f.rejected, u.uploaded_by as "uploadedBy",
  u.uploaded_at as "uploadedAt", u.done_at as "doneAt", u.failure`
const joined = sql`feed_files f left join feed_uploads u on u.partner_id = f.partner_id and u.file_id = f.id`

export interface FileFilter extends PageRequest {
  q?: string | undefined
  /** Stuck: begun more than an hour ago, and not read to its end. */
  state: 'any' | 'stuck'
  now: Date
}

/** Returns one page of files. */
export const listFiles = (db: Db, { q = '', state, now, cursor, limit }: FileFilter) =>
  listPage<FileRow>(
    db,
    {
      columns,
      from: joined,
      where: sql`f.partner_id = current_partner() and ${contains(sql`f.name`, q)}
        ${state === 'stuck' ? sql`and f.finished_at is null and f.started_at < ${now}::timestamptz - interval '1 hour'` : sql``}`,
      order: newestFirst,
    },
    { cursor, limit },
  )

export async function findFile(db: Db | Tx, id: number): Promise<FileRow | undefined> {
  const { rows } = await sql<FileRow>`
    select ${columns} from ${joined} where f.id = ${id}`.execute(db)
  return rows[0]
}

/** Returns rejected lines after a line. Files of earlier versions have the first hundred only. */
export async function listFaults(db: Db, fileId: number, after: number, limit: number): Promise<Fault[]> {
  const { rows } = await sql<Fault>`
    select line, code, texts from feed_file_faults where file_id = ${fileId} and line > ${after}
    union
    select (fault ->> 'line')::bigint, fault ->> 'code',
      array(select jsonb_array_elements_text(coalesce(fault -> 'texts', '[]')))
    from feed_files f, jsonb_array_elements(f.faults) fault
    where f.id = ${fileId} and (fault ->> 'line')::bigint > ${after}
      and not exists (select from feed_file_faults where file_id = ${fileId})
    order by line limit ${limit}`.execute(db)
  return rows
}

export async function isKnownFile(db: Db | Tx, hash: string): Promise<boolean> {
  const { rows } = await sql`
    select from feed_files where partner_id = current_partner() and content_hash = ${hash}`.execute(db)
  return rows.length > 0
}

export interface NewUpload {
  publicId: string
  fileId: number
  format: 'csv' | 'ndjson'
  bytes: Buffer
  by: string
}

export async function insertFile(tx: Tx, { hash, name }: { hash: string; name: string }): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into feed_files (content_hash, name) values (${hash}, ${name}) returning id`.execute(tx)
  return rows[0]?.id as number
}

export async function insertUpload(tx: Tx, { publicId, fileId, format, bytes, by }: NewUpload): Promise<void> {
  await sql`insert into feed_uploads (partner_id, public_id, file_id, format, bytes, uploaded_by)
    values (current_partner(), ${publicId}, ${fileId}, ${format}, ${bytes}, ${by})`.execute(tx)
}

/** Queues an upload again from its first line; returns false when its content is no longer kept. */
export async function queueAgain(tx: Tx, fileId: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update feed_uploads set queued_at = now(), done_at = null, failure = null where file_id = ${fileId}`.execute(tx)
  if (numAffectedRows !== 1n) return false
  await sql`delete from feed_file_faults where file_id = ${fileId}`.execute(tx)
  await sql`update feed_files set lines_read = 0, applied = 0, unmatched = 0, repeated = 0, ignored = 0, rejected = 0,
    faults = '[]', finished_at = null where id = ${fileId}`.execute(tx)
  return true
}

const eventColumns = {
  networkId: 'text',
  event: 'text',
  updatedAt: 'timestamptz',
  cardToken: 'text',
  locationId: 'text',
}

/** Returns how many of these messages are stored already, and how many have an unknown card or restaurant. */
export async function countKnown(
  db: Db,
  events: readonly FeedEvent[],
): Promise<{ repeated: number; unmatched: number }> {
  if (events.length === 0) return { repeated: 0, unmatched: 0 }
  const rows = events.map((event) => ({
    networkId: event.transaction.id,
    event: event.event,
    updatedAt: new Date(updatedAt(event)),
    cardToken: event.transaction.card.id,
    locationId: event.transaction.location.id,
  }))
  const { rows: counted } = await sql<{ repeated: number; unmatched: number }>`
    select count(*) filter (where "isKnown") as repeated, count(*) filter (where not "isKnown" and not "isMatched") as unmatched
    from (select
      exists (select from feed_messages m where m.partner_id = current_partner() and m.network_id = fresh."networkId"
        and m.event = fresh.event and m.updated_at = fresh."updatedAt") as "isKnown",
      (exists (select from cards c where c.partner_id = current_partner() and c.token = fresh."cardToken")
        or exists (select from card_tokens k where k.partner_id = current_partner() and k.token = fresh."cardToken"))
      and exists (select from merchant_network_ids n where n.network_id = fresh."locationId") as "isMatched"
      from ${rowSource(rows, eventColumns)}) each_event`.execute(db)
  return counted[0] ?? { repeated: 0, unmatched: 0 }
}
