import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { fromNow } from '../../platform/database/from-now.ts'
import type { Attachment } from './contract.ts'

export interface EmailRow {
  memberId: number
  /** Kind of email: `reservation.booked`. */
  topic: string
  /** Key of the cause. Each topic is queued once per cause. */
  about: string
  recipient: string
  subject: string
  text: string
  html: string
  attachments?: readonly Attachment[]
  /** Milliseconds for which the contents are a usable secret; afterwards, or once sent, they are redacted. */
  secretFor?: number
  /** The consent that the email depends on. */
  consentId?: number
}

/** Queues an email unless the member's account is deleted; the transaction may have waited for the deletion. */
export async function insertEmail(tx: Tx, email: EmailRow): Promise<void> {
  const isOpen = await tx
    .selectFrom('members')
    .select('id')
    .where('id', '=', email.memberId)
    .where('deleted_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  if (!isOpen) return
  await tx
    .insertInto('emails')
    .values({
      member_id: email.memberId,
      topic: email.topic,
      about: email.about,
      recipient: email.recipient,
      subject: email.subject,
      body_text: email.text,
      body_html: email.html,
      attachments: JSON.stringify(email.attachments ?? []),
      consent_id: email.consentId ?? null,
      ...(email.secretFor !== undefined && {
        secret_until: fromNow(email.secretFor),
      }),
    })
    .onConflict((conflict) => conflict.columns(['partner_id', 'topic', 'about']).doNothing())
    .execute()
}

/** Returns the number of emails of some kinds to a member within the given milliseconds. */
export async function countEmails(
  tx: Tx,
  { memberId, topics, withinMs }: { memberId: number; topics: readonly string[]; withinMs: number },
): Promise<number> {
  const row = await tx
    .selectFrom('emails')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('member_id', '=', memberId)
    .where('topic', 'in', topics)
    .where('created_at', '>', fromNow(-withinMs))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export interface QueuedEmail {
  id: number
  recipient: string
  subject: string
  text: string
  html: string
  attachments: unknown
  consentId: number | null
}

/** Returns an email that is to be sent: it waits, or has failed and is retried, and its secret has not expired. */
export async function findUnsent(db: Db, id: number): Promise<QueuedEmail | undefined> {
  return (
    db
      .selectFrom('emails')
      .select([
        'id',
        'recipient',
        'subject',
        'body_text as text',
        'body_html as html',
        'attachments',
        'consent_id as consentId',
      ])
      .where('id', '=', id)
      .where('status', 'in', ['waiting', 'failed'])
      // Without a recipient, it is redacted.
      .where('recipient', '<>', '')
      .where((where) => where.or([where('secret_until', 'is', null), where('secret_until', '>', sql<Date>`now()`)]))
      .executeTakeFirst()
  )
}

/** Returns whether a consent has not been withdrawn since. */
export async function isConsentEffective(db: Db, consentId: number): Promise<boolean> {
  const latest = await db
    .selectFrom('consents')
    .innerJoin('consents as given', (join) =>
      join
        .onRef('given.member_id', '=', 'consents.member_id')
        .onRef('given.channel', '=', 'consents.channel')
        .onRef('given.topic', '=', 'consents.topic'),
    )
    .select('consents.granted')
    .where('given.id', '=', consentId)
    .orderBy('consents.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return latest?.granted === true
}

export type Outcome = { status: 'sent' | 'stored' | 'withheld' } | { status: 'waiting' | 'failed'; error: string }

export async function recordOutcome(db: Db, id: number, outcome: Outcome): Promise<void> {
  await db
    .updateTable('emails')
    .set({
      status: outcome.status,
      last_error: 'error' in outcome ? outcome.error.slice(0, 500) : null,
      ...(outcome.status === 'sent' && {
        sent_at: sql<Date>`now()`,
        body_text: sql<string>`case when secret_until is null then body_text else '' end`,
        body_html: sql<string>`case when secret_until is null then body_html else '' end`,
        recipient: sql<string>`case when secret_until is null then recipient else '' end`,
        secret_until: null,
      }),
    })
    .where('id', '=', id)
    .where('status', 'in', ['waiting', 'failed'])
    .execute()
}

/**
 * Queues failed emails again, of one member or of any; a trigger adds their jobs. Returns the ids of those that are queued:
 * one that has not failed, or whose contents are redacted, is not.
 */
export async function requeueFailed(
  tx: Tx,
  { ids, memberId }: { ids: readonly number[]; memberId?: number },
): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await tx
    .updateTable('emails')
    .set({ status: 'waiting', last_error: null })
    .where('id', 'in', ids)
    .$if(memberId !== undefined, (query) => query.where('member_id', '=', memberId as number))
    .where('status', '=', 'failed')
    .where('recipient', '<>', '')
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Redacts expired secrets, also in what the mail server said; an email that is still queued then fails. */
export async function redactExpiredSecrets(db: Db): Promise<void> {
  await db
    .updateTable('emails')
    .set({
      body_text: '',
      body_html: '',
      recipient: '',
      last_error: null,
      secret_until: null,
      status: sql<string>`case when status = 'waiting' then 'failed' else status end`,
    })
    .where('secret_until', '<', sql<Date>`now()`)
    .execute()
}

/** Deletes all emails to a member. */
export async function deleteMemberEmails(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom('emails').where('member_id', '=', memberId).execute()
}

export async function listNewestEmails(db: Db, limit: number) {
  return db
    .selectFrom('emails')
    .select(['id', 'recipient', 'subject', 'body_text', 'body_html', 'attachments', 'status', 'created_at'])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
