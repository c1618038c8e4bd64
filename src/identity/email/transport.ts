import type { Transporter } from 'nodemailer'
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
  let transport: Transporter | undefined
  // Loaded with the first email, so that no start waits for it.
  async function openTransport(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer')
    transport ??= createTransport({ url, connectionTimeout: 10_000, socketTimeout: 20_000 })
    return transport
  }
  return async ({ from, recipient, subject, text, html, attachments, messageId }) => {
    await (await openTransport()).sendMail({
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
