import { type QueryClient, type QueryKey, queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { ApiCallError, type ReadApi } from '../../../../platform/browser/api.ts'
import { apiQueryKey, useApi } from '../../../../platform/browser/query.ts'
import { callUrl } from '../../../../platform/call.ts'
import { MINUTE } from '../../../../platform/time.ts'
import type { PublicConfig } from '../../../partners/contract.ts'
import { useProgram } from '../../../partners/member/embed/use-program.ts'
import { chooseByState } from '../../audience.ts'
import type { ContentEntry } from '../../collections.ts'
import { type ContentName, collectionCallAt, contentNames, getContent } from '../../contract.ts'

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
export function contentQuery<N extends ContentName>({ api, config, preview }: ContentSource, contentName: N) {
  const call = collectionCallAt(config.cmsRoute, contentName)
  const given = {
    params: { contentType: 'pages', contentName },
    query: { page_size: pageSize, ...(preview && { preview: '1' as const }) },
  }
  return queryOptions<ContentResult<N>>({
    queryKey: apiQueryKey(getContent, given),
    queryFn: async ({ client, queryKey }) => {
      try {
        return await api.call(call, given)
      } catch (error) {
        report(error, callUrl(call, given))
        const known = client.getQueryData<ContentResult<N>>(queryKey)
        return known?.partial ? known : { data: [], failed: true }
      }
    },
    retry: false,
    staleTime: ({ state }) => (state.data?.partial ? 0 : state.data?.failed ? MINUTE : forever),
  })
}

// A missing collection (404) and a missing network are expected; any other error is logged as an error.
function report(error: unknown, address: string): void {
  if (error instanceof ApiCallError && error.status === 404) console.info(`No CMS copy found at ${address}`)
  else if (error instanceof ApiCallError && error.status === 0) console.info(`CMS copy out of reach at ${address}`)
  else console.error(`CMS copy not loaded from ${address}: ${error instanceof Error ? error.message : 'unknown'}`)
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
  const { contentName } = (key[1] as { params?: { contentName?: ContentName } } | undefined)?.params ?? {}
  if (key[0] !== getContent.id || (contentName !== 'home' && contentName !== 'discover')) return result
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
  source: ContentSource & { cache: QueryClient },
  names: readonly ContentName[],
): Promise<void> {
  await Promise.all(names.map((name) => source.cache.ensureQueryData(contentQuery(source, name))))
}

/** Loads every collection, so that no later page waits for its texts. */
export async function prefetchAllContent(source: ContentSource & { cache: QueryClient }): Promise<void> {
  await prefetchContent(source, contentNames)
}

/** Returns the entries of a collection in order. */
export function useEntries<N extends ContentName>(contentName: N): ContentEntry<N>[] {
  const { config, preview } = useProgram()
  return useSuspenseQuery(contentQuery({ api: useApi(), config, preview }, contentName)).data.data
}
