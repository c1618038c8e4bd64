import { z } from 'zod'
import { reason } from '../../../console-kit/reason.ts'
import { defineSchemas } from '../../../platform/call.ts'
import { Day } from '../../../platform/day.ts'
import { listOf, pageQuery } from '../../../platform/list-call.ts'

const status = z.enum(['waiting', 'sent', 'stored', 'failed', 'withheld'])

export const ListedEmail = z.object({
  id: z.string(),
  /** Kind of email: `reservation.booked`. */
  topic: z.string(),
  subject: z.string(),
  /** The address with most of it masked; empty when it was deleted. */
  recipient: z.string(),
  /** Null without the permission to see members. */
  member: z.object({ id: z.string(), name: z.string() }).nullable(),
  status,
  queuedAt: z.iso.datetime(),
  sentAt: z.iso.datetime().nullable(),
  /** What the mail server said, with addresses masked; empty without an error. */
  error: z.string(),
  /** It failed, and its text still exists. */
  canResend: z.boolean(),
})
export type ListedEmail = z.infer<typeof ListedEmail>

export const listEmails = defineSchemas({
  summary: 'Lists the emails to members, the latest first',
  query: z.object({
    ...pageQuery,
    status: z.enum(['all', ...status.options]).default('all'),
    topic: z.string().max(60).optional(),
    /** The beginning of a member's name, address or number. */
    q: z.string().max(120).optional(),
    /** Days of the program, the last one included. */
    from: Day.optional(),
    to: Day.optional(),
  }),
  reply: listOf(ListedEmail),
})

const params = z.object({ id: z.string().regex(/^\d{1,15}$/) })

export const EmailDetail = ListedEmail.extend({
  /** What can be read of it. A secret opens an account: only its recipient may read it. */
  content: z.enum(['readable', 'secret', 'deleted']),
  attachments: z.array(z.string()),
})
export type EmailDetail = z.infer<typeof EmailDetail>

export const getEmail = defineSchemas({
  summary: 'Returns an email to a member without its text',
  params,
  reply: EmailDetail,
  errors: { notFound: 404 },
})

export const readEmailText = defineSchemas({
  summary: 'Returns the text of an email. That of one with a code is not returned',
  params,
  reply: z.object({ text: z.string() }),
  errors: { notFound: 404 },
})

export const readEmailHtml = defineSchemas({
  summary: 'Returns an email as it looks, for a frame without scripts. That of one with a code is not returned',
  params,
  reply: z.unknown(),
  replyType: 'text/html',
  errors: { notFound: 404 },
})

const ids = z.array(params.shape.id).min(1).max(200)

export const ResendEffect = z.object({
  /** How many are sent again. */
  count: z.number().int(),
  /** Those that have not failed, or whose text is deleted. */
  leftOut: z.number().int(),
  /** Names this outcome: sent back, it makes sure that the act does what was shown. */
  fingerprint: z.string(),
})
export type ResendEffect = z.infer<typeof ResendEffect>

export const previewResend = defineSchemas({
  summary: 'Returns how many emails would be sent again. Stores nothing',
  body: z.object({ ids }),
  reply: ResendEffect,
})

export const resendEmails = defineSchemas({
  summary: 'Sends failed emails again. Others are left out',
  body: z.object({ ids, reason, fingerprint: z.string().max(100) }),
  multiline: ['reason'],
  reply: ResendEffect,
  errors: { conflict: 409 },
})
