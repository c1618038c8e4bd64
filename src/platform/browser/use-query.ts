import { createContext, use, useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { SECOND } from '../time.ts'
import type { Observer, Query, QueryCache, QueryEntry } from './query-cache.ts'

/** The cache of this page, provided at the root. */
export const QueryCacheContext = createContext<QueryCache | null>(null)

export function useQueryCache(): QueryCache {
  const cache = use(QueryCacheContext)
  if (!cache) throw new Error('no QueryCacheContext around this component')
  return cache
}

export interface QueryOptions {
  /** Whether the data is requested; true by default. */
  enabled?: boolean
  /** Shows the data of the previous key until that of a new one has arrived. */
  keepsPrevious?: boolean
  /** Whether a component that appears repeats a failed request; true by default. */
  retryOnMount?: boolean
  /** Whether stale data is requested again when the visitor or the network returns; true by default. */
  refetches?: boolean
}

export type QueryResult<T> = {
  error: unknown
  isFetching: boolean
  /** Whether this is the data of the previous key. */
  isPlaceholderData: boolean
  refetch: () => void
} & (
  | { data: undefined; isPending: true; isSuccess: false; isError: false }
  | { data: T; isPending: false; isSuccess: true; isError: false }
  | { data: T | undefined; isPending: false; isSuccess: false; isError: true }
)

/** What a component has observed at its last effect. */
interface Observed extends Observer {
  entry: unknown
  /** The last data that it has shown. */
  shown: unknown
}

function useObserved<T>(query: Query<T>, { enabled = true, retryOnMount = true, refetches = true }: QueryOptions) {
  const cache = useQueryCache()
  const entry = cache.entryOf<T>(query.key)
  const [observed] = useState<Observed>(() => ({
    query: query as Query<unknown>,
    isEnabled: false,
    refetches,
    entry: null,
    shown: undefined,
  }))
  const mustLoad = () => {
    if (!enabled || (observed.entry === entry && observed.isEnabled)) return false
    const { data, status } = entry.state
    return data === undefined ? status !== 'error' || retryOnMount : entry.isStale(query.staleTime)
  }
  useEffect(() => {
    // Not what the rendering found: the data may have arrived since.
    const loads = mustLoad()
    Object.assign(observed, { query, isEnabled: enabled, refetches, entry })
    if (entry.state.data !== undefined) observed.shown = entry.state.data
    // What is shown can wait for the network; what is missing is reported.
    if (loads) cache.request(entry, query, { waits: entry.state.data !== undefined || !refetches }).catch(() => {})
  })
  const subscribe = useCallback(
    (notify: () => void) => cache.observe(entry as QueryEntry, observed, notify),
    [cache, entry, observed],
  )
  return { cache, entry, observed, loads: mustLoad(), subscribe }
}

/** Returns the state of a query, and requests its data when it is missing or stale. */
export function useQuery<T>(query: Query<T>, options: QueryOptions = {}): QueryResult<T> {
  const { cache, entry, observed, loads, subscribe } = useObserved(query, options)
  const getState = () => entry.state
  const state = useSyncExternalStore(subscribe, getState, () => cache.servedState(entry))
  let { data, error, status } = state
  // What the effect of this rendering starts is under way already.
  if (loads && data === undefined) {
    status = 'pending'
    error = null
  }
  const isPlaceholderData =
    options.keepsPrevious === true && status === 'pending' && data === undefined && observed.shown !== undefined
  if (isPlaceholderData) {
    data = observed.shown as T
    status = 'success'
  }
  return {
    data,
    error,
    isPending: status === 'pending',
    isSuccess: status === 'success',
    isError: status === 'error',
    isFetching: state.isFetching || (loads && cache.isOnline),
    isPlaceholderData,
    refetch: () => void cache.request(entry, query, { restarts: true }).catch(() => {}),
  } as QueryResult<T>
}

/**
 * Returns the data of a query. Suspends until it is loaded; throws when that fails. Nothing changes while the server
 * renders, so that reading the cache is enough there: cards ask for the member many times.
 */
export const useSuspenseQuery: <T>(query: Query<T>) => T = import.meta.env?.SSR ? useCachedData : useObservedData

function useCachedData<T>(query: Query<T>): T {
  const cache = useQueryCache()
  return dataOf(cache, cache.entryOf<T>(query.key), query)
}

function useObservedData<T>(query: Query<T>): T {
  const { staleTime } = query
  // What was loaded for this rendering is not requested twice.
  const least = (ms: number) => Math.max(ms, SECOND)
  const { cache, entry, subscribe } = useObserved<T>(
    {
      ...query,
      ...(staleTime !== undefined && {
        staleTime: typeof staleTime === 'function' ? (data: T) => least(staleTime(data)) : least(staleTime),
      }),
    },
    {},
  )
  const getData = () => entry.state.data
  const data = useSyncExternalStore(subscribe, getData, () => cache.servedState(entry).data)
  return data === undefined ? dataOf(cache, entry, query) : data
}

function dataOf<T>(cache: QueryCache, entry: QueryEntry<T>, query: Query<T>): T {
  const { data, status, error } = entry.state
  if (data !== undefined) return data
  if (status === 'error') throw error
  // Not by `use`: React renders the component again with the hooks so far, and would miss the call of `use`.
  throw cache.request(entry, query, { waits: true })
}
