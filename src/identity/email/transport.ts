import { createTransport } from 'nodemailer'
import type { Attachment } from './contract.ts'

export interface OutgoingMessage {
  from: string
  recipient: string
  subject: string
  text: string
  html: string
  attachments: readonly Attachment[]
  /** The same for every attempt, so that a mail server can detect duplicates. */
  messageId: string
}

/** Sends an email; rejects when it was not accepted. */
export type EmailTransport = (message: OutgoingMessage) => Promise<void>

/** Creates an SMTP transport: `smtps://name:password@mail.example.com`. */
export function smtpTransport(url: string): EmailTransport {
  const transport = createTransport({ url, connectionTimeout: 10_000, socketTimeout: 20_000 })
  return async ({ from, recipient, subject, text, html, attachments, messageId }) => {
    await transport.sendMail({
      from,
      to: recipient,
      subject,
      text,
      html,
      messageId,
      attachments: attachments.map(({ name, type, content }) => ({ filename: name, contentType: type, content })),
    })
  }
}
