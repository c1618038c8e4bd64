import { useEffect, useRef, useState } from 'react'
import { ApiCallError } from '../../../platform/browser/api.ts'
import { type PageArgs, useApi } from '../../../platform/browser/query.ts'
import { signInOn401 } from '../../../platform/browser/redirects.ts'
import { Link } from '../../../platform/browser/router/Link.tsx'
import {
  useLocation,
  useNavigate,
  usePendingLocation,
  useSearchParams,
} from '../../../platform/browser/router/RouterProvider.tsx'
import { useFocusOnPage } from '../../../platform/browser/use-focus-on-page.ts'
import { useQuery } from '../../../platform/browser/use-query.ts'
import { toQueryString } from '../../../platform/call.ts'
import { Html } from '../../../programs/content/member/embed/Html.tsx'
import { prefetchContent, useEntries } from '../../../programs/content/member/embed/use-content.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { zoneName } from '../../../programs/partners/rules.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Pagination } from '../../../ui/Pagination.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { CarriedDebts, loadCarriedDebts } from '../../debts/member/embed/CarriedDebts.tsx'
import { ReviewLink } from '../../reviews/member/embed/ReviewLink.tsx'
import { useReviewed } from '../../reviews/member/embed/use-reviewed.ts'
import { type ActivityFilter, filterFrom } from '../activity-filter.ts'
import type { RewardEntry } from '../contract.ts'
import { ActivityFilters, periodText } from './ActivityFilters.tsx'
import styles from './ActivityPage.module.css'
import { CreditPanel, loadCreditPanel } from './CreditPanel.tsx'
import { activityQuery } from './embed/activity-query.ts'
import { Statement } from './embed/Statement.tsx'
import { useLiveActivity } from './embed/use-live-activity.ts'

const pageOf = (search: URLSearchParams) => Math.max(1, Math.trunc(Number(search.get('page'))) || 1)

// The page shows the error itself; visitors who are not signed in were redirected before.
function ignoreFailure(error: unknown): void {
  if (!(error instanceof ApiCallError)) throw error
}

export async function load(args: PageArgs): Promise<void> {
  const { api, cache, url, config } = args
  const { searchParams } = url
  const pageRequest = { ...filterFrom(searchParams), pageNo: pageOf(searchParams) }
  const activity = cache.fetch(activityQuery(api, config.currencyType, pageRequest))
  await signInOn401(activity, url).catch(ignoreFailure)
  await Promise.all([
    signInOn401(loadCreditPanel(args), url).catch(ignoreFailure),
    loadCarriedDebts(args),
    prefetchContent(args, ['account_center']),
  ])
}

/** The list, with review links where the program's transactions can be reviewed. */
function Activity({ entries }: { entries: readonly RewardEntry[] }) {
  const { config } = useProgram()
  const ids = entries.flatMap((entry) => (entry.kind === 'transaction' ? [entry.sourceTransactionId] : []))
  const reviewed = useReviewed(ids, config.currencyType !== 'Credit')
  return (
    <Statement
      entries={entries}
      beside={(transaction) => <ReviewLink transaction={transaction} reviewed={reviewed} />}
    />
  )
}

export function Page() {
  const t = useCopy()
  const navigate = useNavigate()
  const { config } = useProgram()
  const account = useEntries('account_center')[0]?.fields
  const search = useSearchParams()
  const { pathname } = useLocation()
  const page = pageOf(search)
  const filter = filterFrom(search)
  const isFiltered = filter.status !== undefined || filter.period !== undefined
  // A filter that was just chosen applies while its list is loading.
  const pendingLocation = usePendingLocation()
  const chosen =
    pendingLocation?.pathname === pathname ? filterFrom(new URLSearchParams(pendingLocation.search)) : filter
  const banner = useFocusOnPage<HTMLElement>(page, toQueryString({ ...filter }))
  const query = useQuery(activityQuery(useApi(), config.currencyType, { ...filter, pageNo: page }), {
    keepsPrevious: true,
    // The loader has just queried; a failed query is repeated by the member.
    retryOnMount: false,
  })
  const totalPages = query.data?.totalPages ?? 0
  const isEmpty = query.data?.data.length === 0
  const isPastEnd = isEmpty && page > totalPages && totalPages > 0
  useLiveActivity()
  const changes = useChanges(query.isPlaceholderData ? undefined : query.data, search.toString())

  function filteredText({ status, period }: ActivityFilter): string {
    return t('activity.filtered', {
      status: t(status ? `activity.filter_status_${status}` : 'activity.filter_status_all'),
      period: period ? periodText(period) : t('activity.filter_period_all'),
    })
  }

  return (
    <>
      <Meta title={t('account.recent_activity')} />
      <h2>{t('account.recent_activity')}</h2>
      <aside ref={banner} tabIndex={-1} className={styles.banner}>
        <p>
          {t('claims.banner')} <a href={config.customerSupport.phone.href}>{config.customerSupport.phone.formatted}</a>
        </p>
        <p>
          <Link to="/account/missing_meal">{t('claims.banner_link')}</Link>
        </p>
      </aside>
      {config.currencyType === 'Credit' && <CreditPanel />}
      <CarriedDebts />
      <p className={styles.range}>
        {config.currencyType === 'Credit'
          ? t('activity.range_credit', { zone: zoneName(config) })
          : t('activity.range')}
      </p>
      <p className="visually-hidden" role="status">
        {changes > 0 && <span key={changes}>{t('activity.updated')}</span>}
      </p>
      <p className="visually-hidden" role="status">
        {isFiltered && !query.isFetching && filteredText(filter)}
      </p>
      {(isFiltered || (query.data?.data.length ?? 0) > 0) && (
        <ActivityFilters
          filter={chosen}
          hasEntries={(query.data?.data.length ?? 0) > 0}
          onChange={(next) => navigate(`?${toQueryString({ ...next })}`, { replace: true, preventScrollReset: true })}
        />
      )}
      <div aria-busy={query.isFetching}>
        {query.isPending && <Skeleton height={320} />}
        {query.isError && (
          <EmptyState
            level={3}
            title={t('activity.failed_title')}
            tagline={t('activity.failed_tagline')}
            action={
              <>
                <Button type="button" onClick={query.refetch}>
                  {t('activity.retry')}
                </Button>{' '}
                <Link to="/search">{t('activity.search')}</Link>
              </>
            }
          />
        )}
        {!query.isError && isPastEnd && (
          <EmptyState
            level={3}
            title={t('activity.past_end_title', { page })}
            tagline={t(totalPages === 1 ? 'activity.past_end_tagline_one' : 'activity.past_end_tagline', {
              total: totalPages,
            })}
            action={
              <Link to={`?${toQueryString({ ...filter, page: totalPages })}`} replace preventScrollReset>
                {t('activity.past_end_action')}
              </Link>
            }
          />
        )}
        {!query.isError && isEmpty && !isPastEnd && isFiltered && (
          <EmptyState
            level={3}
            title={t('activity.none_filtered_title')}
            tagline={t('activity.none_filtered_tagline')}
            action={
              <Link to="?" replace preventScrollReset>
                {t('activity.filter_clear')}
              </Link>
            }
          />
        )}
        {!query.isError && isEmpty && !isPastEnd && !isFiltered && (
          <EmptyState
            level={3}
            title={t('activity.none_title')}
            tagline={t('activity.none_tagline')}
            action={<Link to="/search">{t('activity.search')}</Link>}
          />
        )}
        {query.data && query.data.data.length > 0 && <Activity entries={query.data.data} />}
      </div>
      {totalPages > 1 && !isPastEnd && (
        <Pagination
          page={page}
          totalPages={totalPages}
          label={t('search.pages')}
          pageOfText={t('search.page_of', { page, total: totalPages })}
          previousText={t('search.previous')}
          nextText={t('search.next')}
          onChange={(next) => navigate(`?${toQueryString({ ...filter, page: next })}`, { preventScrollReset: true })}
        />
      )}
      {account?.activity_disclaimer && <Html className={styles.disclaimer} text={account.activity_disclaimer} />}
    </>
  )
}

/** Counts how often the data of a page has changed while it was open. */
function useChanges(shown: unknown, page: string): number {
  const [changes, setChanges] = useState(0)
  const seen = useRef({ shown, page })
  useEffect(() => {
    if (shown === undefined) return
    const before = seen.current
    seen.current = { shown, page }
    if (before.shown !== undefined && before.page === page && before.shown !== shown) setChanges((count) => count + 1)
  }, [shown, page])
  return changes
}
