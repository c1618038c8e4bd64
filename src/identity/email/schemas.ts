import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'

export const Attachment = z.strictObject({ name: z.string(), type: z.string(), content: z.string() })
export type Attachment = z.infer<typeof Attachment>

export const OutboxEmail = z.object({
  id: z.number().int(),
  recipient: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  attachments: z.array(Attachment),
  status: z.enum(['waiting', 'sent', 'stored', 'failed', 'withheld']),
  createdAt: z.iso.datetime(),
})

export const listOutbox = defineSchemas({
  summary: 'Returns the newest emails of this program, sent or not (staging only)',
  reply: z.object({ mails: z.array(OutboxEmail) }),
})
