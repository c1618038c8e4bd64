import { useApiQuery } from '../../../platform/browser/query.ts'
import { Link } from '../../../platform/browser/router/Link.tsx'
import { formatCount } from '../../../platform/money.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { suggestLocations } from '../../../programs/places/contract.ts'
import action from '../../../ui/Action.module.css'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { getSearchFacets } from '../contract.ts'
import { positionLiterals } from '../names.ts'
import { filterCount, noFilters, noPlace, type SearchState, searchAddress, without } from '../search-address.ts'
import styles from './search-states.module.css'
import { type SearchInput, sameNameQuery } from './use-search.ts'

/** No results: the reason, and a link that clears the filters. */
export function NoResults({ state, place }: { state: SearchState; place: string | null }) {
  const t = useCopy()
  const what = state.restaurantOrCuisine
  const hasFilters = filterCount({ ...state, sortBy: '' }) > 0
  const named = place !== null && !positionLiterals.some((name) => name === place)
  if (named && what === '' && !hasFilters) {
    return <EmptyState level={2} title={t('search.none_near', { place })} tagline={t('search.none_near_tagline')} />
  }
  return (
    <EmptyState
      level={2}
      title={t('search.none_title')}
      tagline={[
        named && t(what === '' ? 'search.none_looked' : 'search.none_looked_for', { what, place }),
        t('search.none_tagline'),
      ]
        .filter(Boolean)
        .join(' ')}
      action={hasFilters && <Link to={searchAddress({ ...state, ...noFilters })}>{t('search.clear')}</Link>}
    />
  )
}

/** Suggests places and conditions to remove after a search without results, each with its number of results. */
export function OtherSearches({
  state,
  given,
  place,
}: {
  state: SearchState
  given: SearchInput
  place: string | null
}) {
  const t = useCopy()
  const { data } = useApiQuery(getSearchFacets, given)
  const relaxations = data?.relaxations ?? []
  return (
    <>
      <SameName state={state} place={place} level={3} />
      {relaxations.length > 0 && (
        <div className={styles.relax}>
          <h3>{t('search.none_relax')}</h3>
          <ul>
            {relaxations.map(({ without: name, total }) => (
              <li key={name}>
                <Link to={searchAddress(without(state, name))}>
                  {t(`search.relax_${name}`, { count: formatCount(total), value: state.restaurantOrCuisine })}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

/** Suggests other places with the typed name. */
export function SameName({ state, place, level }: { state: SearchState; place: string | null; level: 2 | 3 }) {
  const t = useCopy()
  const Heading = `h${level}` as const
  const query = sameNameQuery(state)
  const isName = query !== null
  const typed = query?.query ?? ''
  const { data } = useApiQuery(suggestLocations, { query: { query: typed } }, { enabled: isName })
  const isSame = (label: string) => label !== place && label.toLowerCase().startsWith(`${typed.toLowerCase()},`)
  const others = isName ? (data?.locations ?? []).filter(isSame) : []
  if (others.length === 0) return null
  return (
    <div className={styles.relax}>
      <Heading>{t('search.none_same_name')}</Heading>
      <ul>
        {others.map((label) => (
          <li key={label}>
            <Link to={searchAddress({ ...state, ...noPlace, location: label })}>{label}</Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** There are results, but fewer pages than the address requests. */
export function PastEnd({ state, totalPages }: { state: SearchState; totalPages: number }) {
  const t = useCopy()
  return (
    <EmptyState
      level={2}
      title={t('search.past_end', { page: state.pageNo })}
      tagline={t(totalPages === 1 ? 'search.past_end_tagline_one' : 'search.past_end_tagline', { total: totalPages })}
      action={<Link to={searchAddress({ ...state, pageNo: totalPages })}>{t('search.past_end_action')}</Link>}
    />
  )
}

/** The device does not provide its position, so no search ran. */
export function LocationBlocked({ state }: { state: SearchState }) {
  const t = useCopy()
  return (
    <EmptyState
      level={2}
      title={t('search.blocked_title')}
      tagline={t('search.blocked_tagline')}
      action={
        <Link className={action.action} to={searchAddress({ ...state, ...noPlace, location: 'New York, NY' })}>
          {t('search.blocked_action')}
        </Link>
      }
    />
  )
}

interface FailureProps {
  unknownPlace: string | null
  offline: boolean
  onRetry: () => void
}

/** The search failed, or its location is unknown. */
export function SearchFailure({ unknownPlace, offline, onRetry }: FailureProps) {
  const t = useCopy()
  if (unknownPlace !== null) {
    const title = t('search.place_unknown', { place: unknownPlace })
    return <EmptyState level={2} title={title} tagline={t('search.location_unknown')} />
  }
  return (
    <EmptyState
      level={2}
      title={t(offline ? 'offline.title' : 'search.error_title')}
      tagline={t(offline ? 'errors.offline' : 'search.error_tagline')}
      action={
        <Button type="button" onClick={onRetry}>
          {t('search.retry')}
        </Button>
      }
    />
  )
}
