import type { Db, Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { discardDeadLettersOf } from '../../platform/jobs/dead-letters.ts'
import type { ClaimedJob } from '../../platform/jobs/workers.ts'
import { HOUR } from '../../platform/time.ts'
import { type EmailContent, renderEmailHtml, renderEmailText, toLegibleContent } from './email-content.ts'
import { Attachment, OutboxEmail } from './schemas.ts'
import * as store from './store.ts'
import type { EmailTransport } from './transport.ts'

export type { EmailContent } from './email-content.ts'
export { countEmails, deleteMemberEmails, redactExpiredSecrets } from './store.ts'
export { type EmailTransport, smtpTransport } from './transport.ts'

export interface NewEmail {
  memberId: number
  recipient: string
  topic: string
  about: string
  content: EmailContent
  attachments?: readonly Attachment[]
  /**
   * Milliseconds for which the contents are a usable secret: they are redacted when the email is sent, or after that
   * time.
   */
  secretFor?: number
  /**
   * The consent that the email depends on: it is withheld when the consent was withdrawn before sending. Required for
   * topics `offers.*`.
   */
  consentId?: number
}

/**
 * Queues an email in the transaction of its cause; it is sent after the commit, and never when the transaction fails.
 * Idempotent per topic and `about`.
 */
export async function queueEmail(tx: Tx, ctx: Ctx, { content, ...email }: NewEmail): Promise<void> {
  const legible = toLegibleContent(content)
  await store.insertEmail(tx, {
    ...email,
    subject: legible.subject,
    text: renderEmailText(legible, ctx.program.config),
    html: renderEmailHtml(legible, ctx.program).text,
  })
}

/** Emails about the security of an account, of one kind, to a member within an hour. */
const maxSecurityEmails = 5

/**
 * Queues an email about the security of an account, unless the member has been sent five of its kind within the hour.
 * Each kind counts alone: whoever causes many of one kind hides no other. The caller has locked the member.
 */
export async function queueSecurityEmail(tx: Tx, ctx: Ctx, email: NewEmail): Promise<void> {
  const { memberId, topic } = email
  const sent = await store.countEmails(tx, { memberId, topics: [topic], withinMs: HOUR })
  if (sent < maxSecurityEmails) await queueEmail(tx, ctx, email)
}

export interface EmailDelivery {
  db: Db
  partnerId: string
  /** Null: nothing is sent, and emails stay readable in the outbox. */
  transport: EmailTransport | null
  from: string
}

/**
 * Sends a queued email, outside any transaction, and records it. Rejects when it was not accepted; it fails for good
 * with the last attempt. An email that was sent or deleted meanwhile stays as it is.
 */
export async function sendEmail(
  { db, partnerId, transport, from }: EmailDelivery,
  { id, isLastAttempt }: Pick<ClaimedJob, 'id' | 'isLastAttempt'>,
): Promise<void> {
  const email = await store.findUnsent(db, Number(id))
  if (!email) return
  if (email.consentId !== null && !(await store.isConsentEffective(db, email.consentId)))
    return store.recordOutcome(db, email.id, { status: 'withheld' })
  if (!transport) return store.recordOutcome(db, email.id, { status: 'stored' })
  try {
    const attachments = Attachment.array().parse(email.attachments)
    // The address may be in angle brackets: `Dineback <no-reply@dineback.example>`.
    const domain = from.split('@').at(-1)?.replace(/>.*$/, '')
    await transport({ ...email, from, attachments, messageId: `<${partnerId}.${email.id}@${domain}>` })
  } catch (error) {
    const message = error instanceof Error ? error.message : 'unknown'
    await store.recordOutcome(db, email.id, { status: isLastAttempt ? 'failed' : 'waiting', error: message })
    // The server's own words may contain the recipient.
    throw new Error('the mail server did not accept the email')
  }
  await store.recordOutcome(db, email.id, { status: 'sent' })
}

/**
 * Sends failed emails again, of one member or of any. The jobs that have failed with them are done with. Returns the ids of
 * those that are sent: one that has not failed, or whose contents are redacted, is not.
 */
export async function resendFailed(tx: Tx, failed: { ids: readonly number[]; memberId?: number }): Promise<number[]> {
  const ids = await store.requeueFailed(tx, failed)
  await discardDeadLettersOf(tx, 'emails', ids.map(String))
  return ids
}

/** Returns the newest emails of this program, for the staging tools. */
export async function listOutboxEmails(ctx: Ctx) {
  const rows = await store.listNewestEmails(ctx.db, 50)
  return rows.map((row) => ({
    id: row.id,
    recipient: row.recipient,
    subject: row.subject,
    text: row.body_text,
    html: row.body_html,
    attachments: Attachment.array().parse(row.attachments),
    status: OutboxEmail.shape.status.parse(row.status),
    createdAt: row.created_at.toISOString(),
  }))
}
