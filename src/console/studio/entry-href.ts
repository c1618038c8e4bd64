import type { EntryKey } from '../../programs/content/service.ts'

/** The entry with the program's messages. */
export const messagesEntry: EntryKey = { collection: 'copy', slug: 'messages' }

/** Returns the studio path of an entry. */
export const entryHref = (partnerId: string, { collection, slug }: EntryKey) =>
  `/${partnerId}/${encodeURIComponent(collection)}/${slug}`
