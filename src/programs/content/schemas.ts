import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'

export const Entry = z.object({ slug: z.string(), fields: z.record(z.string(), z.unknown()) })
export type Entry = z.infer<typeof Entry>

export const getContent = defineSchemas({
  summary: 'Returns a content collection of this program; drafts for editors with a preview',
  params: z.object({ contentType: z.string().max(60), contentName: z.string().max(60) }),
  query: z.strictObject({
    page_size: z.coerce.number().int().min(1).max(100).default(100),
    preview: z.enum(['0', '1']).optional(),
  }),
  reply: z.object({ data: z.array(Entry) }),
  errors: { contentNotFound: 404, previewNotAllowed: 403 },
})

export const getProgramVersion = defineSchemas({
  maintenance: 'open',
  summary: 'Returns a version that changes with the content and the feature flags, so that open pages can check it',
  reply: z.object({ version: z.string() }),
})
