import { z } from 'zod'
import { defineCall } from '../kit/call.ts'

export const contentNames = [
  '*',
  'home',
  'discover',
  'tier_1_activation',
  'surveys',
  'account_center',
  'announcement_banner',
  'earn_details',
  'earn_banner',
  'popup',
  'sidebar',
] as const

export const Entry = z.object({ slug: z.string(), fields: z.record(z.string(), z.unknown()) })
export type Entry = z.infer<typeof Entry>

export const getContent = defineCall({
  id: 'getContent',
  method: 'GET',
  path: '/api/cms/:contentType/:contentName/',
  access: 'anyone',
  summary: 'A content collection of this program',
  params: z.object({ contentType: z.literal('pages'), contentName: z.string().max(60) }),
  query: z.strictObject({ page_size: z.coerce.number().int().min(1).max(100).default(100) }),
  reply: z.object({ data: z.array(Entry) }),
  refusals: { contentNotFound: 404 },
})
