import { ApiCallError, type ReadApi } from '../../../../platform/browser/api.ts'
import { apiQueryKey, useApi } from '../../../../platform/browser/query.ts'
import type { Query, QueryCache, QueryKey } from '../../../../platform/browser/query-cache.ts'
import { useSuspenseQuery } from '../../../../platform/browser/use-query.ts'
import { callUrl } from '../../../../platform/call.ts'
import { MINUTE } from '../../../../platform/time.ts'
import type { PublicConfig } from '../../../partners/contract.ts'
import { useProgram } from '../../../partners/member/embed/use-program.ts'
import { chooseByState } from '../../audience.ts'
import type { ContentEntry } from '../../collections.ts'
import {
  type ContentName,
  type ContentOf,
  collectionCallAt,
  contentNames,
  getContent,
  type LaterContent,
  laterContentNames,
  type SharedContent,
  sharedContentNames,
} from '../../contract.ts'

/** Source of content: the program's own route, with drafts in a preview. */
export interface ContentSource {
  api: ReadApi
  config: Pick<PublicConfig, 'cmsRoute' | 'cmsPreview'>
  preview: boolean
}

interface ContentResult<N extends ContentName> {
  data: ContentEntry<N>[]
  /** The request failed: default messages are shown, and the query is repeated later. */
  failed?: true
  /** Only what the rendered page shows: the query is repeated in the background. */
  partial?: true
}

const pageSize = 100
const forever = Number.POSITIVE_INFINITY

/** Query options for one collection: fetched once per page load, never retried, and resolved even when it fails. */
export function contentQuery<N extends ContentName>(
  { api, config, preview }: ContentSource,
  contentName: N,
): Query<ContentResult<N>> {
  const call = collectionCallAt(config.cmsRoute, contentName)
  const given = {
    params: { contentType: 'pages', contentName },
    query: { page_size: pageSize, ...(preview && { preview: '1' as const }) },
  }
  return {
    key: apiQueryKey(getContent, given),
    load: async (known) => {
      const content = (await laterContents.get(api))?.[contentName]
      if (content) return { data: content }
      try {
        return await api.call(call, given)
      } catch (error) {
        report(error, callUrl(call, given))
        return known?.partial ? known : { data: [], failed: true }
      }
    },
    staleTime: ({ partial, failed }) => (partial ? 0 : failed ? MINUTE : forever),
  }
}

// A missing collection (404) and a missing network are expected; any other error is logged as an error.
function report(error: unknown, address: string): void {
  if (error instanceof ApiCallError && error.status === 404) console.info(`No CMS copy found at ${address}`)
  else if (error instanceof ApiCallError && error.status === 0) console.info(`CMS copy out of reach at ${address}`)
  else console.error(`CMS copy not loaded from ${address}: ${error instanceof Error ? error.message : 'unknown'}`)
}

/** Adds the content of the program's file to a cache. */
export function fillSharedContent(source: ContentSource & { cache: QueryCache }, content: SharedContent): void {
  for (const name of sharedContentNames) source.cache.set(contentQuery(source, name).key, { data: content[name] })
}

/** Whether the result of a query is in the program's file. */
export function isSharedContent(key: QueryKey): boolean {
  const name = contentNameOf(key)
  return name !== undefined && (sharedContentNames as readonly ContentName[]).includes(name)
}

function contentNameOf(key: QueryKey): ContentName | undefined {
  return key[0] === getContent.id ? (key[1] as { params: { contentName: ContentName } }).params.contentName : undefined
}

/**
 * Returns the result of a query as a page contains it: of a front page's collection, which has an entry for each state of
 * a visitor, only the shown one.
 */
export function onlyShown(
  key: QueryKey,
  result: unknown,
  { state, config }: { state: string; config: Pick<PublicConfig, 'copyStates'> },
): unknown {
  const contentName = contentNameOf(key)
  if (contentName !== 'home' && contentName !== 'discover') return result
  const { data, ...rest } = result as ContentResult<'home'>
  const shown = chooseByState(
    data.map(({ fields }) => fields),
    state,
    config.copyStates,
  )
  return data.length < 2 ? result : { ...rest, data: data.filter(({ fields }) => fields === shown), partial: true }
}

/** Waits until collections have loaded or failed. */
export async function prefetchContent(
  source: ContentSource & { cache: QueryCache },
  names: readonly ContentName[],
): Promise<void> {
  await Promise.all(names.map((name) => source.cache.ensure(contentQuery(source, name))))
}

/**
 * Loads the content of later pages, so that none of them waits for its texts: from the program's second file, which
 * browsers store, or by the calls when that fails. A query that starts meanwhile waits for the file, too.
 */
export async function prefetchAllContent(
  source: ContentSource & { cache: QueryCache },
  { href, load = fetch }: { href: string; load?: typeof fetch },
): Promise<void> {
  const loading = loadLaterContent(href, load)
  laterContents.set(source.api, loading)
  const content = await loading
  if (!content) return prefetchContent(source, contentNames)
  for (const name of laterContentNames) source.cache.set(contentQuery(source, name).key, { data: content[name] })
}

/** The second file of the pages that use an API; null when it cannot be loaded. */
const laterContents = new WeakMap<ReadApi, Promise<Partial<ContentOf> | null>>()

async function loadLaterContent(href: string, load: typeof fetch): Promise<LaterContent | null> {
  try {
    const response = await load(href, { credentials: 'same-origin', priority: 'low' })
    // Awaited here, because the connection can drop after the headers.
    return response.ok ? await response.json() : null
  } catch {
    return null
  }
}

/** Returns the entries of a collection in order. */
export function useEntries<N extends ContentName>(contentName: N): ContentEntry<N>[] {
  const { config, preview } = useProgram()
  return useSuspenseQuery(contentQuery({ api: useApi(), config, preview }, contentName)).data
}
