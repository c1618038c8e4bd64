import { useEffect } from 'react'
import { memberQuery } from '../../../identity/members/member/embed/use-member.ts'
import { ApiCallError, type ReadApi } from '../../../platform/browser/api.ts'
import { apiQuery, type PageArgs, useApi } from '../../../platform/browser/query.ts'
import { useHydrated } from '../../../platform/browser/use-hydrated.ts'
import { useQuery } from '../../../platform/browser/use-query.ts'
import type { QueryOf } from '../../../platform/call.ts'
import { type Point, suggestLocations } from '../../../programs/places/contract.ts'
import { fetchFallbackPosition } from '../../../programs/places/member/embed/position.ts'
import { usePassivePoint } from '../../../programs/places/member/embed/use-passive-point.ts'
import { usePosition } from '../../../programs/places/member/embed/use-position.ts'
import { defaultCity } from '../../../programs/places/rules.ts'
import { searchMerchants } from '../contract.ts'
import { positionLiterals } from '../names.ts'
import { isBare, queryOf, readSearch, type SearchState, searchAddress } from '../search-address.ts'
import { homeOf, useHome } from './embed/use-home.ts'
import { saveSearch } from './search-storage.ts'

/** Parameters of the search calls. */
export interface SearchInput {
  query: QueryOf<typeof searchMerchants>
}

const [currentLocation, currentMapView] = positionLiterals

/** Returns true when a search needs the device's position. */
export function isHere({ location }: Pick<SearchState, 'location'>): boolean {
  return location === currentLocation
}

/** Returns true when a search has no location of its own. */
function isAnywhere({ location, campaignCode }: SearchState): boolean {
  return location === '' && campaignCode === ''
}

function toSearchInput(state: SearchState, around: Partial<Point> & { location?: string }): SearchInput {
  return { query: { ...queryOf(state), ...around } as SearchInput['query'] }
}

const startQuery = (api: ReadApi) => ({ key: ['search-start'], load: () => fetchFallbackPosition(api) })

/** Returns the query of the places whose names begin with that of a search; null when it has no name of a place. */
export function sameNameQuery({ location }: Pick<SearchState, 'location'>): { query: string } | null {
  const query = location.split(',')[0]?.trim() ?? ''
  return /^\p{L}.+/u.test(query) && !positionLiterals.some((name) => name === location) ? { query } : null
}

/**
 * Prefetches the search, on the server or before navigation. Skipped for a search around the device, whose position
 * only the browser knows.
 */
export async function loadSearch({ api, cache, url }: PageArgs): Promise<void> {
  const state = readSearch(url.searchParams)
  if (isHere(state)) return
  const sameName = state.location.includes(',') ? null : sameNameQuery(state)
  await Promise.all([
    around().then((start) => cache.prefetch(apiQuery(api, searchMerchants, toSearchInput(state, start)))),
    // With the results, which it would move.
    sameName && cache.prefetch(apiQuery(api, suggestLocations, { query: sameName })),
  ])

  async function around() {
    if (!isAnywhere(state)) return {}
    const home = homeOf(await cache.ensure(memberQuery(api)))
    return home ? { location: home } : { location: currentMapView, ...(await cache.ensure(startQuery(api))) }
  }
}

/**
 * Returns a search with its state. A search around the device waits for its position and does not run without it; one
 * without a location starts at the visitor's assumed location.
 */
export function useSearch(state: SearchState) {
  const api = useApi()
  const here = isHere(state)
  const isHydrated = useHydrated()
  const position = usePosition(here)
  const anywhere = isAnywhere(state)
  const start = useStart(anywhere)
  const point = position.state === 'granted' ? position.point : null
  const searchInput = toSearchInput(state, here ? (point ? { location: currentLocation, ...point } : {}) : start.around)
  const ready = !here || point !== null
  const result = useQuery(apiQuery(api, searchMerchants, searchInput), {
    enabled: ready,
    keepsPrevious: true,
    // The loader has just searched; a failed search is repeated by the visitor, or when the network returns. A document
    // does not contain failures.
    retryOnMount: !isHydrated,
  })
  const address = searchAddress(state)
  const hasResults = result.isSuccess && !result.isPlaceholderData && result.data.totalResultSize > 0
  useEffect(() => {
    const done = readSearch(new URLSearchParams(address.slice('/search'.length)))
    if (hasResults && !isBare(done)) saveSearch(done)
  }, [hasResults, address])
  const blocked = here && position.state === 'denied'
  return {
    given: searchInput,
    /** False while a search around the device waits for its position. */
    ready,
    /** Name of the location for a search without one, when the response does not name it. */
    placeName: anywhere ? start.name : null,
    blocked,
    locating: here && position.state === 'asking',
    unknownPlace: result.isError && result.error instanceof ApiCallError && result.error.code === 'locationUnknown',
    failed: result.isError && !blocked,
    offline: result.error instanceof ApiCallError && result.error.status === 0,
    found: blocked || result.isError ? undefined : result.data,
    isFetching: result.isFetching,
    refetch: result.refetch,
  }
}

/**
 * Returns where a search without a location starts: the visitor's position if already permitted, else the member's
 * home, else the default point, named by its city.
 */
function useStart(wanted: boolean): { around: Partial<Point> & { location?: string }; name: string | null } {
  const api = useApi()
  const home = useHome()
  const start = useQuery(
    { ...startQuery(api), staleTime: Number.POSITIVE_INFINITY },
    { enabled: wanted && home === '' },
  )
  const passive = usePassivePoint(wanted)
  if (!wanted) return { around: {}, name: null }
  if (passive) return { around: { location: currentMapView, ...passive }, name: null }
  if (home !== '') return { around: { location: home }, name: null }
  return { around: start.data ? { location: currentMapView, ...start.data } : {}, name: defaultCity }
}
