import { z } from 'zod'
import { defineCall } from '../../platform/call.ts'
import type { ContentEntry } from './collections.ts'

/** Names of the content collections in the API. */
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
export type ContentName = (typeof contentNames)[number]

export const Entry = z.object({ slug: z.string(), fields: z.record(z.string(), z.unknown()) })
export type Entry = z.infer<typeof Entry>

export const getContent = defineCall({
  id: 'getContent',
  method: 'GET',
  path: '/api/cms/:contentType/:contentName/',
  access: 'anyone',
  summary: 'Returns a content collection of this program; drafts for editors with a preview',
  params: z.object({ contentType: z.string().max(60), contentName: z.string().max(60) }),
  query: z.strictObject({
    page_size: z.coerce.number().int().min(1).max(100).default(100),
    preview: z.enum(['0', '1']).optional(),
  }),
  reply: z.object({ data: z.array(Entry) }),
  errors: { contentNotFound: 404, previewNotAllowed: 403 },
})

/** Returns the content call at a program's own route. */
export function contentCallAt(route: string) {
  return defineCall({ ...getContent, path: getContent.path.replace('/api/cms', route) })
}

/** Returns the content call for one collection: the reply has the types of its schema, by which the server validates. */
export function collectionCallAt<N extends ContentName>(route: string, _name: N) {
  return defineCall({ ...contentCallAt(route), reply: z.custom<{ data: ContentEntry<N>[] }>() })
}

export const getProgramVersion = defineCall({
  id: 'getProgramVersion',
  method: 'GET',
  path: '/api/ProgramVersion',
  access: 'anyone',
  summary: 'Returns a version that changes with the content and the feature flags, so that open pages can check it',
  reply: z.object({ version: z.string() }),
})
