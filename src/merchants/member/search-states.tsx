import { Link } from 'react-router'
import { useCopy } from '../../content/member/embed/use-copy.tsx'
import { formatCount } from '../../kit/money.ts'
import { useQuestion } from '../../kit/web/query.ts'
import action from '../../ui/Action.module.css'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { getSearchFacets } from '../contract.ts'
import { noFilters, noPlace, type SearchState, searchAddress, without } from '../search-address.ts'
import styles from './search-states.module.css'
import type { Given } from './use-search.ts'

/** Nothing fits: what to give up, and how much that would find. */
export function NoResults({ state, given }: { state: SearchState; given: Given }) {
  const t = useCopy()
  const { data } = useQuestion(getSearchFacets, given)
  const relaxations = data?.relaxations ?? []
  return (
    <>
      <EmptyState
        level={2}
        title={t('search.none_title')}
        tagline={t('search.none_tagline')}
        action={<Link to={searchAddress({ ...state, ...noFilters })}>{t('search.clear')}</Link>}
      />
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

/** The device does not say where it is, so nothing was searched. */
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

/** The search did not work, or names a place that nobody knows. */
export function SearchFailure({ unknownPlace, onRetry }: { unknownPlace: boolean; onRetry: () => void }) {
  const t = useCopy()
  if (unknownPlace)
    return <EmptyState level={2} title={t('search.none_title')} tagline={t('search.location_unknown')} />
  return (
    <EmptyState
      level={2}
      title={t('search.error_title')}
      tagline={t('search.error_tagline')}
      action={
        <Button type="button" onClick={onRetry}>
          {t('search.retry')}
        </Button>
      }
    />
  )
}
