import { createHash } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { defaultMessages } from '../../default-messages.ts'
import type { Pools } from '../../platform/database/db.ts'
import { createFollower } from '../../platform/database/follower.ts'
import type { DatabaseListener } from '../../platform/database/listen.ts'
import { type Fields, safeFields } from './check.ts'
import type { Entry } from './contract.ts'
import type { MessageCatalog } from './messages.ts'
import { getMsUntilNextChange, type LiveRow, listLiveEntries, listNewestVersions } from './store.ts'

/** The published content of one partner. */
export interface PublishedContent {
  /** Content hash; equal in all processes that show the same content. */
  version: string
  collections: Readonly<Record<string, readonly Entry[]>>
  catalog: MessageCatalog
}

/** In-memory cache of every partner's content: reads never wait. */
export interface ContentCache {
  /** Returns the published content. Throws RangeError for an unknown partner. */
  of(partnerId: string): PublishedContent
  /** Returns the content including saved drafts. */
  drafts(partnerId: string): PublishedContent
  /** Reads the database now. */
  refresh(partnerId: string): Promise<void>
  /** Calls back with the partner whose content changed. */
  onChange(listener: (partnerId: string) => void): void
  close(): Promise<void>
}

interface ContentCacheDeps {
  pools: Pools
  dbListener: DatabaseListener
  /** Tokens of each partner's messages. */
  tokens: ReadonlyMap<string, Readonly<Record<string, string>>>
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>
}

type Row = Pick<LiveRow, 'collection' | 'slug' | 'version' | 'fields'>

/** The content of a partner, the versions that it consists of, and their fields; null where they cannot be shown. */
interface Loaded {
  live: PublishedContent
  drafts: PublishedContent
  versions: Readonly<Record<'live' | 'drafts', string>>
  fields: ReadonlyMap<string, Fields | null>
}

const keyOf = ({ collection, slug, version }: Omit<Row, 'fields'>) => `${collection}/${slug}/${version}`
/** A removed entry has no fields. */
const isPresent = ({ fields }: Pick<Row, 'fields'>) => fields !== null

/** Loads the live content of every partner and refreshes it on notifications, on schedule and by polling. */
export async function createContentCache({ pools, dbListener, tokens, log }: ContentCacheDeps): Promise<ContentCache> {
  const shown = new Map<string, Loaded>()
  const listeners: ((partnerId: string) => void)[] = []
  const timers = new Map<string, NodeJS.Timeout>()
  let closed = false

  /** Returns the fields that can be shown. A version never changes, so that each is checked once. */
  function fieldsOf(partnerId: string, { collection, slug, version, fields }: Row, before: Loaded | undefined) {
    const known = before?.fields.get(keyOf({ collection, slug, version }))
    if (known !== undefined) return known
    const safe = safeFields(collection, slug, fields)
    if (!safe) log.error({ partner: partnerId, collection, slug }, 'content is not valid and does not show')
    return safe
  }

  function contentOf(partnerId: string, rows: readonly Row[], fields: Loaded['fields']): PublishedContent {
    const collections: Record<string, Entry[]> = {}
    for (const row of rows) {
      const shown = fields.get(keyOf(row))
      if (!shown) continue
      collections[row.collection] ??= []
      collections[row.collection]?.push({ slug: row.slug, fields: shown })
    }
    const overrides = collections.copy?.[0]?.fields as Record<string, string> | undefined
    const catalog = { messages: { ...defaultMessages, ...overrides }, tokens: tokens.get(partnerId) ?? {} }
    const hash = createHash('sha256')
      .update(JSON.stringify([collections, catalog]))
      .digest('base64url')
      .slice(0, 12)
    return { version: hash, collections, catalog }
  }

  async function reload(partnerId: string): Promise<void> {
    const db = pools.forPartner(partnerId)
    const live: Row[] = (await listLiveEntries(db)).filter(isPresent)
    const newest: Row[] = (await listNewestVersions(db)).filter(isPresent)
    const wait = await getMsUntilNextChange(db)
    clearTimeout(timers.get(partnerId))
    if (wait !== null && !closed)
      timers.set(partnerId, setTimeout(() => follower.refreshQuietly(partnerId), wait + 20).unref())
    const before = shown.get(partnerId)
    const versions = { live: live.map(keyOf).join(), drafts: newest.map(keyOf).join() }
    // Polled every few seconds, changed a few times a day.
    if (before?.versions.live === versions.live && before.versions.drafts === versions.drafts) return
    const fields = new Map([...live, ...newest].map((row) => [keyOf(row), fieldsOf(partnerId, row, before)]))
    const content = contentOf(partnerId, live, fields)
    const drafts = versions.drafts === versions.live ? content : contentOf(partnerId, newest, fields)
    shown.set(partnerId, { live: content, drafts, versions, fields })
    if (before?.live.version === content.version) return
    for (const listener of listeners) listener(partnerId)
  }

  const follower = createFollower({
    listener: dbListener,
    channel: 'content_changed',
    keys: [...tokens.keys()],
    load: reload,
    onError: (error, partner) => log.warn({ err: error, partner }, 'content not refreshed'),
  })
  await follower.start()

  function both(partnerId: string) {
    const content = shown.get(partnerId)
    if (!content) throw new RangeError(`no content of ${partnerId}`)
    return content
  }

  return {
    of: (partnerId) => both(partnerId).live,
    drafts: (partnerId) => both(partnerId).drafts,
    refresh: follower.refresh,
    onChange: (listener) => void listeners.push(listener),
    async close() {
      closed = true
      for (const timer of timers.values()) clearTimeout(timer)
      await follower.close()
    },
  }
}
