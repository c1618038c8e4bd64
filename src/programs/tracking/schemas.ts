import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'
import { eventNames, maxEventsPerRequest } from './rules.ts'

export const Impression = z.strictObject({
  eventName: z.enum(eventNames),
  /** As reported by the page; the actual member comes from the session. */
  memberId: z.string().max(60).optional(),
  merchantId: z.string().max(120).optional(),
  url: z.string().max(300),
  channel: z.literal('web'),
  dateTime: z.iso.datetime().regex(/^(19|20)/),
  userAgent: z.string().max(200),
})
export type Impression = z.infer<typeof Impression>

export const postImpressions = defineSchemas({
  summary: 'Records visitor events; requires no CSRF token, because browsers send it as a beacon',
  body: z.array(Impression).min(1).max(maxEventsPerRequest),
  eachItem: true,
  status: 202,
  reply: z.object({ accepted: z.number().int() }),
  errors: { crossSite: 403 },
  perMinute: 120,
})
