import { type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { Attachment, OutboxMail } from './contract.ts'
import { type Letter, letterHtml, letterText } from './letter.ts'
import * as store from './store.ts'
import type { MailTransport } from './transport.ts'

export type { Letter } from './letter.ts'
export { blankSecrets, deleteMailsOf, mailsTo } from './store.ts'
export { type MailTransport, smtpTransport } from './transport.ts'

export interface Posting {
  memberId: number
  recipient: string
  topic: string
  about: string
  letter: Letter
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
export async function postMail(tx: Tx, ctx: Ctx, { letter, ...mail }: Posting): Promise<void> {
  await store.insertMail(tx, {
    ...mail,
    subject: letter.subject,
    text: letterText(letter, ctx.program.config),
    html: letterHtml(letter, ctx.program).text,
  })
}

const mostAttempts = 8
/** Seconds before the first retry; doubled with each. */
const firstWait = 30

export interface Delivery {
  db: Db
  partnerId: string
  /** Null: nothing is sent, and emails stay readable in the outbox. */
  transport: MailTransport | null
  from: string
}

/** Sends due emails, one per transaction. Returns how many were processed. */
export async function deliverMails(delivery: Delivery): Promise<number> {
  for (let count = 0; ; count++) {
    const more = await inTransaction(delivery.db, (tx) => deliverOne(tx, delivery))
    if (!more) return count
  }
}

// The row stays locked while the mail server is contacted: other processes skip it, and after a crash it is still
// queued.
async function deliverOne(tx: Tx, { partnerId, transport, from }: Delivery): Promise<boolean> {
  const mail = await store.takeWaiting(tx)
  if (!mail) return false
  if (mail.consentId !== null && !(await store.consentStands(tx, mail.consentId))) {
    await store.recordOutcome(tx, mail.id, { status: 'withheld' })
    return true
  }
  if (!transport) {
    await store.recordOutcome(tx, mail.id, { status: 'kept' })
    return true
  }
  try {
    const attachments = Attachment.array().parse(mail.attachments)
    await transport({ ...mail, from, attachments, messageId: `<${partnerId}.${mail.id}@${from.split('@').at(-1)}>` })
    await store.recordOutcome(tx, mail.id, { status: 'sent' })
  } catch (error) {
    const message = error instanceof Error ? error.message : 'unknown'
    const last = mail.attempts + 1 >= mostAttempts
    await store.recordOutcome(
      tx,
      mail.id,
      last
        ? { status: 'failed', error: message }
        : { status: 'waiting', error: message, seconds: firstWait * 2 ** mail.attempts },
    )
  }
  return true
}

/** Returns the newest emails of this program, for the staging tools. */
export async function readOutbox(ctx: Ctx) {
  const rows = await store.newestMails(ctx.db, 50)
  return rows.map((row) => ({
    id: row.id,
    recipient: row.recipient,
    subject: row.subject,
    text: row.body_text,
    html: row.body_html,
    attachments: Attachment.array().parse(row.attachments),
    status: OutboxMail.shape.status.parse(row.status),
    createdAt: row.created_at.toISOString(),
  }))
}
