import { type QueryClient, queryOptions, useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { CallInput, CallSpec, ReadCall, ReplyOf, WriteCall } from '../call.ts'
import type { Api } from './api.ts'

/** The API client of this page, provided at the root. */
export const ApiContext = createContext<Api | null>(null)

export function useApi(): Api {
  const api = use(ApiContext)
  if (!api) throw new Error('no ApiContext around this component')
  return api
}

/** Returns the query key of a call; without input, the prefix of all its keys. */
export function apiQueryKey(call: CallSpec, given?: unknown): unknown[] {
  return given === undefined ? [call.id] : [call.id, given]
}

/**
 * Query options shared by loaders and components: a component finds what a loader prefetched. Only read calls are
 * queries: a query runs again whenever its data is stale.
 */
export function apiQuery<C extends ReadCall>(api: Api, call: C, given: CallInput<C>) {
  return queryOptions<ReplyOf<C>>({
    queryKey: apiQueryKey(call, given),
    queryFn: () => api.call(call, given),
    retry: false,
  })
}

/** Returns the result that the route's loader fetched. */
export function useApiSuspenseQuery<C extends ReadCall>(call: C, given: CallInput<C>): ReplyOf<C> {
  return useSuspenseQuery(apiQuery(useApi(), call, given)).data
}

/** A query whose result may arrive after the page. */
export function useApiQuery<C extends ReadCall>(
  call: C,
  given: CallInput<C>,
  options: { enabled?: boolean; staleTime?: number } = {},
) {
  return useQuery({ ...apiQuery(useApi(), call, given), ...options })
}

/** A query that runs once per page, even if it fails. */
export function useApiQueryOnce<C extends ReadCall>(call: C, given: CallInput<C>, options: { enabled?: boolean } = {}) {
  // A failed query counts as stale: by default it would run again at every return to the page.
  const never = { retryOnMount: false, refetchOnWindowFocus: false, refetchOnReconnect: false }
  return useQuery({ ...apiQuery(useApi(), call, given), ...options, ...never, staleTime: Number.POSITIVE_INFINITY })
}

/** A write call with its state. It runs when `mutate` is called, and never by itself. */
export function useApiMutation<C extends WriteCall>(call: C) {
  const api = useApi()
  return useMutation({ mutationFn: (given: CallInput<C>) => api.call(call, given) })
}

/** Arguments of a route's `load`: client, cache, parameters and URL. */
export interface PageArgs {
  api: Api
  cache: QueryClient
  url: URL
  params: Record<string, string | undefined>
}
