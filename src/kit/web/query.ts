import { type QueryClient, queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { CallSpec, Given, ReplyOf } from '../call.ts'
import type { Api } from './api.ts'

/** The client of this page, given at the root. */
export const ApiContext = createContext<Api | null>(null)

export function useApi(): Api {
  const api = use(ApiContext)
  if (!api) throw new Error('no ApiContext around this component')
  return api
}

/** The key under which the answer of a call is kept; without input, all answers of the call. */
export function keyOf(call: CallSpec, given?: unknown): unknown[] {
  return given === undefined ? [call.id] : [call.id, given]
}

/** One description of a question for loaders and components: what a loader prefetched the page finds. */
export function ask<C extends CallSpec>(api: Api, call: C, given: Given<C>) {
  return queryOptions<ReplyOf<C>>({ queryKey: keyOf(call, given), queryFn: () => api.call(call, given), retry: false })
}

/** The answer that the route's loader has fetched. */
export function useAnswer<C extends CallSpec>(call: C, given: Given<C>): ReplyOf<C> {
  return useSuspenseQuery(ask(useApi(), call, given)).data
}

/** A question whose answer may come after the page. */
export function useQuestion<C extends CallSpec>(
  call: C,
  given: Given<C>,
  options: { enabled?: boolean; staleTime?: number } = {},
) {
  return useQuery({ ...ask(useApi(), call, given), ...options })
}

/** A question that is put once in the life of a page, whatever became of it. */
export function useQuestionOnce<C extends CallSpec>(call: C, given: Given<C>, options: { enabled?: boolean } = {}) {
  // Without an answer a question counts as stale: by itself it would be put again at every return to the page.
  const never = { retryOnMount: false, refetchOnWindowFocus: false, refetchOnReconnect: false }
  return useQuery({ ...ask(useApi(), call, given), ...options, ...never, staleTime: Number.POSITIVE_INFINITY })
}

/** What a route's `load` gets: the client and the cache, the parameters and the address. */
export interface PageArgs {
  api: Api
  cache: QueryClient
  url: URL
  params: Record<string, string | undefined>
}
