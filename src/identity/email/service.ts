import { type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { Attachment, OutboxEmail } from './contract.ts'
import { type EmailContent, renderEmailHtml, renderEmailText } from './email-content.ts'
import * as store from './store.ts'
import type { EmailTransport } from './transport.ts'

export type { EmailContent } from './email-content.ts'
export { deleteMemberEmails, redactExpiredSecrets } from './store.ts'
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
  await store.insertEmail(tx, {
    ...email,
    subject: content.subject,
    text: renderEmailText(content, ctx.program.config),
    html: renderEmailHtml(content, ctx.program).text,
  })
}

const maxAttempts = 8
/** Seconds before the first retry; doubled with each. */
const initialBackoffSeconds = 30

export interface EmailDelivery {
  db: Db
  partnerId: string
  /** Null: nothing is sent, and emails stay readable in the outbox. */
  transport: EmailTransport | null
  from: string
}

/** Sends due emails, one per transaction. Returns how many were processed. */
export async function deliverEmails(delivery: EmailDelivery): Promise<number> {
  for (let count = 0; ; count++) {
    const more = await inTransaction(delivery.db, (tx) => deliverOne(tx, delivery))
    if (!more) return count
  }
}

// The row stays locked while the mail server is contacted: other processes skip it, and after a crash it is still
// queued.
async function deliverOne(tx: Tx, { partnerId, transport, from }: EmailDelivery): Promise<boolean> {
  const email = await store.claimQueued(tx)
  if (!email) return false
  if (email.consentId !== null && !(await store.isConsentEffective(tx, email.consentId))) {
    await store.recordOutcome(tx, email.id, { status: 'withheld' })
    return true
  }
  if (!transport) {
    await store.recordOutcome(tx, email.id, { status: 'stored' })
    return true
  }
  try {
    const attachments = Attachment.array().parse(email.attachments)
    await transport({ ...email, from, attachments, messageId: `<${partnerId}.${email.id}@${from.split('@').at(-1)}>` })
    await store.recordOutcome(tx, email.id, { status: 'sent' })
  } catch (error) {
    const message = error instanceof Error ? error.message : 'unknown'
    const last = email.attempts + 1 >= maxAttempts
    await store.recordOutcome(
      tx,
      email.id,
      last
        ? { status: 'failed', error: message }
        : { status: 'waiting', error: message, seconds: initialBackoffSeconds * 2 ** email.attempts },
    )
  }
  return true
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
