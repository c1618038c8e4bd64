import { use } from 'react'
import type { Call, CallInput, ReadCall, ReplyOf } from '../call.ts'
import type { ReadApi } from './api.ts'
import type { Query, QueryCache } from './query-cache.ts'
import { type QueryResult, useQuery, useQueryCache, useSuspenseQuery } from './use-query.ts'
import { ApiContext } from './write-api.ts'

/** The client for read calls, as pages and components get it. A write call is a mutation: see `useApiMutation`. */
export function useApi(): ReadApi {
  const api = use(ApiContext)
  if (!api) throw new Error('no ApiContext around this component')
  return api
}

/** Returns the query key of a call; without input, the prefix of all its keys. */
export function apiQueryKey(call: Call, given?: unknown): unknown[] {
  return given === undefined ? [call.id] : [call.id, given]
}

/**
 * Query options shared by loaders and components: a component finds what a loader prefetched. Only read calls are
 * queries: a query runs again whenever its data is stale.
 */
export function apiQuery<C extends ReadCall>(api: ReadApi, call: C, given: CallInput<C>): Query<ReplyOf<C>> {
  return { key: apiQueryKey(call, given), load: () => api.call(call, given) }
}

/** Returns the result that the route's loader fetched. */
export function useApiSuspenseQuery<C extends ReadCall>(call: C, given: CallInput<C>): ReplyOf<C> {
  return useSuspenseQuery(apiQuery(useApi(), call, given))
}

/** A query whose result may arrive after the page. */
export function useApiQuery<C extends ReadCall>(
  call: C,
  given: CallInput<C>,
  { staleTime, ...options }: { enabled?: boolean; staleTime?: number } = {},
): QueryResult<ReplyOf<C>> {
  return useQuery({ ...apiQuery(useApi(), call, given), ...(staleTime !== undefined && { staleTime }) }, options)
}

/** A query that runs once per page, even if it fails. */
export function useApiQueryOnce<C extends ReadCall>(
  call: C,
  given: CallInput<C>,
  options: { enabled?: boolean } = {},
): QueryResult<ReplyOf<C>> {
  // A failed query counts as stale: by default it would run again at every return to the page.
  const once = { ...options, retryOnMount: false, refetches: false }
  return useQuery({ ...apiQuery(useApi(), call, given), staleTime: Number.POSITIVE_INFINITY }, once)
}

/** Sends one read call through the cache. Rejects with an ApiCallError. */
export type FetchRead = <C extends ReadCall>(
  call: C,
  given: CallInput<C>,
  options?: { staleTime?: number; isStored?: boolean },
) => Promise<ReplyOf<C>>

/**
 * Returns a function that sends a read call when an event needs its result, such as the check of a typed value. By
 * default the result is always requested.
 */
export function useApiFetch(): FetchRead {
  const api = useApi()
  const cache = useQueryCache()
  return (call, given, { staleTime = 0, isStored = true } = {}) =>
    isStored ? cache.fetch({ ...apiQuery(api, call, given), staleTime }) : api.call(call, given)
}

/** Arguments of a route's `load`: client, cache, parameters and URL. */
export interface PageArgs {
  api: ReadApi
  cache: QueryCache
  url: URL
  params: Record<string, string | undefined>
}
