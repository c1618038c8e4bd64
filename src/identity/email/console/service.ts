import { inTransaction } from '../../../platform/database/db.ts'
import { fingerprintOf, tryOrDo } from '../../../platform/database/dry-run.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { OperatorCtx } from '../../../platform/http/operator.ts'
import { addDays, startOfDay } from '../../../platform/time.ts'
import { Attachment } from '../schemas.ts'
import { resendFailed } from '../service.ts'
import type { EmailDetail, ListedEmail, ResendEffect } from './contract.ts'
import { maskedAddress, withoutAddresses } from './mask.ts'
import * as store from './store.ts'

function toEmail(ctx: OperatorCtx, row: store.EmailRecord): ListedEmail {
  const { id, topic, subject, recipient, memberPublicId, memberName, status, queuedAt, sentAt, error } = row
  return {
    id: String(id),
    topic,
    subject,
    recipient: recipient === '' ? '' : maskedAddress(recipient),
    member: ctx.may('members.read') ? { id: memberPublicId, name: memberName } : null,
    status,
    queuedAt: queuedAt.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
    error: withoutAddresses(error ?? ''),
    canResend: status === 'failed' && recipient !== '',
  }
}

type ListQuery = Omit<Parameters<typeof store.listEmails>[1], 'from' | 'before'> & {
  from?: string | undefined
  to?: string | undefined
}

/** Returns one page of the emails of the program. */
export async function listEmails(ctx: OperatorCtx, { from, to, ...query }: ListQuery) {
  const { timeZone } = ctx.program.config
  const { rows, next, total } = await store.listEmails(ctx.db, {
    ...query,
    from: from === undefined ? undefined : startOfDay(from, timeZone),
    before: to === undefined ? undefined : startOfDay(addDays(to, 1), timeZone),
  })
  return { items: rows.map((row) => toEmail(ctx, row)), next, total }
}

async function requireEmail(ctx: OperatorCtx, id: string): Promise<store.EmailContentRecord> {
  const email = await store.findEmail(ctx.db, Number(id))
  if (!email) throw new ApiError('notFound')
  return email
}

const contentOf = ({ isSecret, html }: store.EmailContentRecord): EmailDetail['content'] =>
  isSecret ? 'secret' : html === '' ? 'deleted' : 'readable'

/** Returns an email without its text. Throws `notFound`. */
export async function getEmail(ctx: OperatorCtx, id: string): Promise<EmailDetail> {
  const email = await requireEmail(ctx, id)
  const attachments = Attachment.array()
    .parse(email.attachments)
    .map(({ name }) => name)
  return { ...toEmail(ctx, email), content: contentOf(email), attachments }
}

/** Returns what an email says, and records that it was read. Throws `notFound`, also when it cannot be read. */
export async function readEmail(ctx: OperatorCtx, id: string): Promise<{ text: string; html: string }> {
  const email = await requireEmail(ctx, id)
  if (contentOf(email) !== 'readable') throw new ApiError('notFound')
  await inTransaction(ctx.db, (tx) => ctx.record(tx, { object: { type: 'email', id, label: email.topic } }))
  return email
}

/** Returns how many emails would be sent again. */
export const previewResend = (ctx: OperatorCtx, ids: readonly string[]): Promise<ResendEffect> =>
  resend(ctx, { ids, isDry: true })

interface Confirmed {
  ids: readonly string[]
  reason: string
  fingerprint: string
}

/** Sends failed emails again. Throws `conflict` when the outcome is not the one shown. */
export const resendEmails = (ctx: OperatorCtx, confirmed: Confirmed): Promise<ResendEffect> =>
  resend(ctx, { ...confirmed, isDry: false })

type Resend = { ids: readonly string[] } & ({ isDry: true } | (Confirmed & { isDry: false }))

async function resend(ctx: OperatorCtx, given: Resend): Promise<ResendEffect> {
  const ids = [...new Set(given.ids.map(Number))]
  return tryOrDo(given, (finish) =>
    inTransaction(ctx.db, async (tx) => {
      const sent = await resendFailed(tx, { ids })
      const fingerprint = fingerprintOf(sent.toSorted((a, b) => a - b))
      if (!given.isDry) {
        if (fingerprint !== given.fingerprint) throw new ApiError('conflict')
        await ctx.record(tx, {
          object: { type: 'email', id: sent.length === 1 ? String(sent[0]) : 'several' },
          before: { failed: sent },
          after: { sentAgain: sent.length },
          reason: given.reason,
        })
      }
      return finish({ count: sent.length, leftOut: ids.length - sent.length, fingerprint })
    }),
  )
}
