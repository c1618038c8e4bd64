import { useEffect, useRef } from 'react'
import { apiQuery, type PageArgs, useApi } from '../../../platform/browser/query.ts'
import { useLocation, useNavigate, useSearchParams } from '../../../platform/browser/router/RouterProvider.tsx'
import { useQuery } from '../../../platform/browser/use-query.ts'
import { lazyPart } from '../../../programs/content/member/embed/lazy-part.tsx'
import { SideText } from '../../../programs/content/member/embed/SideText.tsx'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { listPins, type SearchResponse } from '../contract.ts'
import { positionLiterals } from '../names.ts'
import { isBare, readSearch, type SearchState, searchAddress } from '../search-address.ts'
import { SearchControls } from './SearchControls.tsx'
import { type MapShown, type Pointing, SearchLayout } from './SearchLayout.tsx'
import { ResultCount, SearchResults } from './SearchResults.tsx'
import { LocationBlocked, NoResults, OtherSearches, PastEnd, SameName, SearchFailure } from './search-states.tsx'
import { lastSearch, removeSearch } from './search-storage.ts'
import { loadSearch, type SearchInput, useSearch } from './use-search.ts'

const ResultMap = lazyPart(async () => (await import('./ResultMap.tsx')).ResultMap)

/** A failed search still renders the page, with the error in place of the results. */
export async function load(args: PageArgs): Promise<void> {
  await loadSearch(args)
}

export function Page() {
  const t = useCopy()
  const params = useSearchParams()
  const state = readSearch(params)
  const search = useSearch(state)
  useRestoredSearch(state)
  const { found, unknownPlace } = search
  return (
    <>
      <Meta
        title={t('search.title')}
        purpose={t('search.purpose')}
        canonical={searchAddress(state)}
        unlisted={!isBare(state)}
      />
      <SearchLayout
        busy={search.isFetching}
        controls={
          <SearchControls
            state={state}
            given={search.given}
            locationError={unknownPlace ? t('search.location_unknown') : undefined}
          />
        }
        list={(pointing) => (
          <>
            <Found state={state} search={search} pointing={pointing} />
            <SideText name="search" />
          </>
        )}
        map={(shown) =>
          found && <PinnedMap given={search.given} ready={search.ready} response={found} state={state} shown={shown} />
        }
      />
    </>
  )
}

interface FoundProps {
  state: SearchState
  search: ReturnType<typeof useSearch>
  pointing: Pointing
}

/** Shows the state of a search: results or an error. */
function Found({ state, search, pointing }: FoundProps) {
  const { blocked, failed, found } = search
  const isShown = !blocked && !failed
  return (
    <>
      {/* On the page before its text changes, so that every outcome is announced: also an empty one and a failure. */}
      <div role="status">
        <Outcome state={state} search={search} />
      </div>
      {isShown && !found && <Skeleton height={400} />}
      {isShown && found?.totalResultSize === 0 && (
        <OtherSearches state={state} given={search.given} place={placeOf(search)} />
      )}
      {isShown && found && found.merchants.length > 0 && (
        <>
          {/* Several cities are called Springfield. */}
          {!state.location.includes(',') && <SameName state={state} place={placeOf(search)} level={2} />}
          <SearchResults state={state} response={found} pointing={pointing} />
        </>
      )}
    </>
  )
}

function Outcome({ state, search }: Pick<FoundProps, 'state' | 'search'>) {
  const t = useCopy()
  const { blocked, locating, failed, offline, found, unknownPlace } = search
  if (blocked) return <LocationBlocked state={state} />
  if (failed) {
    const place = unknownPlace ? state.location : null
    return <SearchFailure unknownPlace={place} offline={offline} onRetry={search.refetch} />
  }
  if (found && found.merchants.length === 0 && found.totalResultSize > 0) {
    return <PastEnd state={state} totalPages={found.totalPages} />
  }
  if (found?.merchants.length === 0) return <NoResults state={state} place={placeOf(search)} />
  if (found) return <ResultCount state={state} response={found} placeName={search.placeName} />
  return locating && <p>{t('search.locating')}</p>
}

function placeOf({ placeName, found }: FoundProps['search']): string | null {
  return placeName ?? found?.origin?.label ?? null
}

/**
 * Restores the last search that had results when the page appears without a search in its address. A search that is
 * cleared on the page remains empty, also at the next visit.
 */
function useRestoredSearch(state: SearchState): void {
  const navigate = useNavigate()
  const bare = isBare(state)
  const wasBare = useRef(bare)
  useEffect(() => {
    if (bare && !wasBare.current) removeSearch()
    wasBare.current = bare
    const last = bare ? lastSearch() : null
    if (last) void navigate(last, { replace: true })
  }, [bare, navigate])
}

interface MapProps {
  given: SearchInput
  /** True when all parameters of the search are known. */
  ready: boolean
  response: SearchResponse
  state: SearchState
  shown: MapShown
}

/** Shows the pins of the whole search; the visible area can become the next search. */
function PinnedMap({ given, ready, response, state, shown }: MapProps) {
  const t = useCopy()
  const navigate = useNavigate()
  const { hash } = useLocation()
  const pins = useQuery(apiQuery(useApi(), listPins, given), { enabled: ready, keepsPrevious: true })
  const searchArea = (area: { latitude: number; longitude: number; radius: number }) => {
    const [latitude, longitude, radius] = [area.latitude, area.longitude, area.radius].map(String) as [
      string,
      string,
      string,
    ]
    const next = searchAddress({ ...state, location: positionLiterals[1], latitude, longitude, radius, pageNo: 1 })
    // On a phone the map stays.
    navigate(next + hash)
  }
  const isOfArea = state.location === positionLiterals[1]
  return (
    <ResultMap
      fallback={<Skeleton height={400} />}
      response={response}
      pins={pins.data?.pins ?? []}
      total={pins.data?.total ?? 0}
      search={JSON.stringify(given.query)}
      area={isOfArea ? { latitude: Number(state.latitude), longitude: Number(state.longitude) } : null}
      shown={shown}
      label={t('search.map')}
      onArea={searchArea}
    />
  )
}
