import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { QueryOf } from '../../kit/call.ts'
import { ApiError } from '../../kit/web/api.ts'
import { ask, type PageArgs, useApi } from '../../kit/web/query.ts'
import type { Point } from '../../places/contract.ts'
import { fallbackPosition } from '../../places/member/embed/position.ts'
import { usePassivePoint } from '../../places/member/embed/use-passive-point.ts'
import { usePosition } from '../../places/member/embed/use-position.ts'
import { positionLiterals, searchMerchants } from '../contract.ts'
import { isBare, queryOf, readSearch, type SearchState, searchAddress } from '../search-address.ts'
import { rememberSearch } from './search-memory.ts'

/** What calls about a search are given. */
export interface Given {
  query: QueryOf<typeof searchMerchants>
}

const [currentLocation, currentMapView] = positionLiterals

/** Whether a search needs to know where the device is. */
export function isHere({ location }: Pick<SearchState, 'location'>): boolean {
  return location === currentLocation
}

/** Whether a search leaves it to us where it begins. */
function isAnywhere({ location, campaignCode }: SearchState): boolean {
  return location === '' && campaignCode === ''
}

function given(state: SearchState, point: Point | null): Given {
  const around = point && { location: isHere(state) ? currentLocation : currentMapView, ...point }
  return { query: { ...queryOf(state), ...around } as Given['query'] }
}

const startKey = ['search-start']

/** Asks on the server, or before the page shows, what it will ask; where a device is, only the device can say. */
export async function loadSearch({ api, cache, url }: PageArgs): Promise<void> {
  const state = readSearch(url.searchParams)
  if (isHere(state)) return
  const start = { queryKey: startKey, queryFn: () => fallbackPosition(api) }
  const point = isAnywhere(state) ? await cache.ensureQueryData(start) : null
  await cache.prefetchQuery(ask(api, searchMerchants, given(state, point)))
}

/**
 * A search and where it stands. One around the device waits for its position, and is not run without it; one that
 * names no place begins where the visitor is taken to be.
 */
export function useSearch(state: SearchState) {
  const api = useApi()
  const here = isHere(state)
  const position = usePosition(here)
  const start = useStart(isAnywhere(state))
  const point = here ? (position.state === 'granted' ? position.point : null) : start
  const asked = given(state, point)
  const answer = useQuery({
    ...ask(api, searchMerchants, asked),
    enabled: !here || point !== null,
    placeholderData: (before) => before,
  })
  const address = searchAddress(state)
  const succeeded = answer.isSuccess && !answer.isPlaceholderData
  useEffect(() => {
    const done = readSearch(new URLSearchParams(address.slice('/search'.length)))
    if (succeeded && !isBare(done)) rememberSearch(done)
  }, [succeeded, address])
  const blocked = here && position.state === 'denied'
  return {
    given: asked,
    blocked,
    asking: here && position.state === 'asking',
    unknownPlace: answer.isError && answer.error instanceof ApiError && answer.error.code === 'locationUnknown',
    failed: answer.isError && !blocked,
    found: blocked || answer.isError ? undefined : answer.data,
    isFetching: answer.isFetching,
    refetch: () => void answer.refetch(),
  }
}

/** Where a search begins that names no place; who has allowed it before is found without being asked. */
function useStart(wanted: boolean): Point | null {
  const api = useApi()
  const start = useQuery({
    queryKey: startKey,
    queryFn: () => fallbackPosition(api),
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const passive = usePassivePoint(wanted)
  return wanted ? (passive ?? start.data ?? null) : null
}
