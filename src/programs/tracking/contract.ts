import { z } from 'zod'
import { defineCall } from '../../platform/call.ts'

/** Recorded visitor events. */
export const eventNames = [
  'PageView',
  'CarouselImpression',
  'CardImpression',
  'MerchantSelected',
  'CardFrameLoaded',
  'CardFrameFailed',
] as const

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

export const maxEventsPerRequest = 50

export const postImpressions = defineCall({
  id: 'postImpressions',
  method: 'POST',
  path: '/api/Impressions',
  access: 'anyone',
  summary: 'Records visitor events; requires no CSRF token, because browsers send it as a beacon',
  body: z.array(Impression).min(1).max(maxEventsPerRequest),
  eachItem: true,
  status: 202,
  reply: z.object({ accepted: z.number().int() }),
  errors: { crossSite: 403 },
  csrf: false,
  perMinute: 120,
})
