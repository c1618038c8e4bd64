import { sql } from 'kysely'
import type { Db, Tx } from '../kit/server/db.ts'
import type { Attachment } from './contract.ts'

export interface NewMail {
  memberId: number
  /** What kind of mail it is: `reservation.booked`. */
  topic: string
  /** The fact it tells of. The same topic about the same fact is written once. */
  about: string
  recipient: string
  subject: string
  text: string
  html: string
  attachments?: readonly Attachment[]
}

export async function insertMail(tx: Tx, mail: NewMail): Promise<void> {
  await tx
    .insertInto('mails')
    .values({
      member_id: mail.memberId,
      topic: mail.topic,
      about: mail.about,
      recipient: mail.recipient,
      subject: mail.subject,
      body_text: mail.text,
      body_html: mail.html,
      attachments: JSON.stringify(mail.attachments ?? []),
    })
    .onConflict((conflict) => conflict.columns(['partner_id', 'topic', 'about']).doNothing())
    .execute()
}

export interface WaitingMail {
  id: number
  recipient: string
  subject: string
  text: string
  html: string
  attachments: unknown
  attempts: number
}

/** The longest waiting mail that is due, locked for this transaction; what another process has in hand is passed by. */
export async function takeWaiting(tx: Tx): Promise<WaitingMail | undefined> {
  return tx
    .selectFrom('mails')
    .select(['id', 'recipient', 'subject', 'body_text as text', 'body_html as html', 'attachments', 'attempts'])
    .where('partner_id', '=', sql<string>`current_partner()`)
    .where('status', '=', 'waiting')
    .where('next_attempt_at', '<=', sql<Date>`now()`)
    .orderBy('next_attempt_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

export type Outcome =
  | { status: 'sent' | 'kept' }
  | { status: 'failed'; error: string }
  | { status: 'waiting'; error: string; seconds: number }

export async function recordOutcome(tx: Tx, id: number, outcome: Outcome): Promise<void> {
  await tx
    .updateTable('mails')
    .set({
      status: outcome.status,
      attempts: sql<number>`attempts + 1`,
      last_error: 'error' in outcome ? outcome.error.slice(0, 500) : null,
      ...(outcome.status === 'waiting' && {
        next_attempt_at: sql<Date>`now() + make_interval(secs => ${outcome.seconds})`,
      }),
      ...(outcome.status === 'sent' && { sent_at: sql<Date>`now()` }),
    })
    .where('id', '=', id)
    .execute()
}

export async function newestMails(db: Db, limit: number) {
  return db
    .selectFrom('mails')
    .select(['id', 'recipient', 'subject', 'body_text', 'body_html', 'attachments', 'status', 'created_at'])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
