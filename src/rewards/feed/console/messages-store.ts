import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/database/db.ts'
import { type CursorRow, countRows, isWrittenMoment, readCursor, toPage } from '../../../platform/database/keyset.ts'
import { ValidationError } from '../../../platform/errors.ts'
import { isStorable } from '../../../platform/text.ts'
import type { FeedEvent } from '../contract.ts'

/** What identifies a message: messages have no id of their own. */
export interface MessageKey {
  networkId: string
  event: string
  /** As PostgreSQL writes it, to the microsecond. */
  updatedText: string
}

export interface MessageRow extends MessageKey {
  receivedAt: Date
  updatedAt: Date
  outcome: 'applied' | 'unmatched' | 'ignored'
  body: FeedEvent
}

/** Returns the id of a message for addresses. */
export const idOfMessage = ({ networkId, event, updatedText }: MessageKey): string =>
  Buffer.from(JSON.stringify([networkId, event, updatedText])).toString('base64url')

/** Returns what an id says; undefined for another text. */
export function keyOfMessage(id: string): MessageKey | undefined {
  try {
    const [networkId, event, updatedText] = JSON.parse(Buffer.from(id, 'base64url').toString()) as unknown[]
    if (typeof networkId !== 'string' || typeof event !== 'string' || typeof updatedText !== 'string') return undefined
    const isWritten = isStorable(networkId) && isStorable(event) && isWrittenMoment(updatedText)
    return isWritten ? { networkId, event, updatedText } : undefined
  } catch {
    return undefined
  }
}

const columns = sql`f.network_id as "networkId", f.event, f.updated_at::text as "updatedText", f.updated_at as "updatedAt",
  f.received_at as "receivedAt", f.received_at::text as "cursorKey", f.outcome, f.body`

export interface MessageFilter {
  outcome: 'any' | MessageRow['outcome']
  q?: string | undefined
  /** Moments: from the first, before the second. */
  from?: Date | undefined
  before?: Date | undefined
}

function matches({ outcome, q = '', from, before }: MessageFilter): RawBuilder<unknown> {
  const id = q.trim()
  const conditions = [sql`f.partner_id = current_partner()`]
  // As text of the statement: it shows that the partial index has the outcome.
  if (outcome !== 'any') conditions.push(sql`f.outcome = ${sql.lit(outcome)}`)
  if (id !== '') conditions.push(sql`(f.network_id = ${id} or f.related_id = ${id})`)
  if (from) conditions.push(sql`f.received_at >= ${from}`)
  if (before) conditions.push(sql`f.received_at < ${before}`)
  return sql.join(conditions, sql` and `)
}

/** Many messages arrive in one transaction, so the order goes on by what identifies one. */
function after(cursor: string | undefined): RawBuilder<unknown> {
  if (cursor === undefined) return sql`true`
  const [received, id] = readCursor(cursor, 'text')
  const key = keyOfMessage(String(id))
  if (!key || !isWrittenMoment(received)) throw new ValidationError([{ field: 'cursor', message: 'validation.check' }])
  return sql`(f.received_at, f.network_id, f.event, f.updated_at)
    < (${received}::timestamptz, ${key.networkId}, ${key.event}, ${key.updatedText}::timestamptz)`
}

/** Returns one page of messages, the latest first, and how many there are. */
export async function listMessages(
  db: Db,
  { cursor, limit, ...filter }: MessageFilter & { cursor?: string | undefined; limit: number },
) {
  const from = sql`from feed_messages f where ${matches(filter)}`
  const [{ rows }, total] = await Promise.all([
    sql<MessageRow & Pick<CursorRow, 'cursorKey'>>`
      select ${columns} ${from} and ${after(cursor)}
      order by f.received_at desc, f.network_id desc, f.event desc, f.updated_at desc limit ${limit + 1}`.execute(db),
    countRows(db, from),
  ])
  const numbered = rows.map((row) => ({ ...row, cursorId: idOfMessage(row) }))
  return { ...toPage(numbered, limit), total }
}

/** Returns a message with the transaction that it is a part of. */
export async function findMessage(
  db: Db,
  { networkId, event, updatedText }: MessageKey,
): Promise<(MessageRow & { transaction: string | null }) | undefined> {
  const { rows } = await sql<MessageRow & { transaction: string | null }>`
    select ${columns},
      (select t.public_id from transactions t
        where t.partner_id = f.partner_id and t.network_id in (f.network_id, f.related_id) and t.type_code = 'S'
        order by t.network_id = f.network_id desc limit 1) as transaction
    from feed_messages f
    where f.partner_id = current_partner() and f.network_id = ${networkId} and f.event = ${event}
      and f.updated_at = ${updatedText}::timestamptz`.execute(db)
  return rows[0]
}
