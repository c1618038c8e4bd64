import type { z } from 'zod'
import { defineCall } from '../../platform/call.ts'
import type { ContentEntry } from './collections.ts'
import type * as schemas from './schemas.ts'

export type { Entry } from './schemas.ts'

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

/** Collections that most pages show: they are in the program's file, so that no page contains them. */
export const sharedContentNames = ['*', 'announcement_banner', 'sidebar'] as const satisfies ContentName[]
type SharedName = (typeof sharedContentNames)[number]
/** The other collections are in a second file, which the browser loads when it is idle. */
export const laterContentNames = contentNames.filter(
  (name): name is Exclude<ContentName, SharedName> => !(sharedContentNames as readonly ContentName[]).includes(name),
)
/** The entries of every collection. */
export type ContentOf = { [N in ContentName]: ContentEntry<N>[] }
export type SharedContent = Pick<ContentOf, SharedName>
export type LaterContent = Pick<ContentOf, Exclude<ContentName, SharedName>>

export const getContent = defineCall<typeof schemas.getContent>()({
  id: 'getContent',
  method: 'GET',
  path: '/api/cms/:contentType/:contentName/',
  access: 'anyone',
})

/** Returns the content call at a program's own route. */
export function contentCallAt(route: string): typeof getContent {
  return { ...getContent, path: getContent.path.replace('/api/cms', route) } as typeof getContent
}

/** The schemas of the call for one collection. */
type CollectionSchemas<N extends ContentName> = Omit<typeof schemas.getContent, 'reply'> & {
  reply: z.ZodType<{ data: ContentEntry<N>[] }>
}

/** Returns the content call for one collection: the reply has the types of its schema, by which the server validates. */
export function collectionCallAt<N extends ContentName>(route: string, _name: N) {
  const { id, method, path, access } = contentCallAt(route)
  return defineCall<CollectionSchemas<N>>()({ id, method, path, access })
}

export const getProgramVersion = defineCall<typeof schemas.getProgramVersion>()({
  id: 'getProgramVersion',
  method: 'GET',
  path: '/api/ProgramVersion',
  access: 'anyone',
})
