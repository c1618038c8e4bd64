import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/database/db.ts'
import { listPage, type Order, type PageRequest } from '../../../platform/database/keyset.ts'
import { isMeant } from '../../members/service.ts'

const latestFirst: Order = { by: sql`e.created_at`, type: 'timestamptz', id: sql`e.id`, direction: 'desc' }

export interface EmailRecord {
  id: number
  topic: string
  subject: string
  recipient: string
  memberPublicId: string
  memberName: string
  status: 'waiting' | 'sent' | 'stored' | 'failed' | 'withheld'
  queuedAt: Date
  sentAt: Date | null
  error: string | null
}

const columns = sql`e.id, e.topic, e.subject, e.recipient, m.public_id as "memberPublicId",
  trim(m.first_name || ' ' || m.last_name) as "memberName", e.status, e.created_at as "queuedAt", e.sent_at as "sentAt",
  e.last_error as error`
const joins = sql`join members m on m.partner_id = e.partner_id and m.id = e.member_id`

export interface EmailFilter {
  status: 'all' | EmailRecord['status']
  topic?: string | undefined
  q?: string | undefined
  /** Moments: from the first, before the second. */
  from?: Date | undefined
  before?: Date | undefined
}

function matches({ status, topic, q = '', from, before }: EmailFilter): RawBuilder<unknown> {
  const conditions = [sql`e.partner_id = current_partner()`]
  // As text of the statement: it shows that the partial index has the state.
  if (status !== 'all') conditions.push(sql`e.status = ${sql.lit(status)}`)
  if (topic) conditions.push(sql`e.topic = ${topic}`)
  if (q.trim() !== '') conditions.push(isMeant(sql`e.member_id`, q))
  if (from) conditions.push(sql`e.created_at >= ${from}`)
  if (before) conditions.push(sql`e.created_at < ${before}`)
  return sql.join(conditions, sql` and `)
}

/** Returns one page of emails, the latest first, and how many there are. */
export const listEmails = (db: Db, { cursor, limit, ...filter }: EmailFilter & PageRequest) =>
  listPage<EmailRecord>(
    db,
    { columns, from: sql`emails e`, joins, where: matches(filter), order: latestFirst },
    { cursor, limit },
  )

export interface EmailContentRecord extends EmailRecord {
  isSecret: boolean
  text: string
  html: string
  attachments: unknown
}

export async function findEmail(db: Db, id: number): Promise<EmailContentRecord | undefined> {
  const { rows } = await sql<EmailContentRecord>`
    select ${columns}, e.secret_until is not null as "isSecret", e.body_text as text,
      e.body_html as html, e.attachments
    from emails e ${joins} where e.id = ${id}`.execute(db)
  return rows[0]
}
