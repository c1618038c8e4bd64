import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { SideText } from '../../content/member/embed/SideText.tsx'
import { settleContent } from '../../content/member/embed/use-content.ts'
import { useCopy } from '../../content/member/embed/use-copy.tsx'
import { ApiError } from '../../kit/web/api.ts'
import { useInBrowser } from '../../kit/web/in-browser.ts'
import { ask, type PageArgs, useApi } from '../../kit/web/query.ts'
import { Meta } from '../../partners/member/embed/Meta.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { searchMerchants } from '../contract.ts'
import { queryOf, readSearch, type SearchState, searchAddress } from '../search-address.ts'
import { SearchControls } from './SearchControls.tsx'
import styles from './SearchPage.module.css'
import { SearchResults } from './SearchResults.tsx'

const ResultMap = lazy(() => import('./ResultMap.tsx').then((module) => ({ default: module.ResultMap })))

const given = (state: SearchState) => ({ query: queryOf(state) as never })

/** A search that fails still has a page: what is wrong shows where the results would. */
export async function load(args: PageArgs): Promise<void> {
  const { api, cache, url } = args
  await Promise.all([
    cache.prefetchQuery(ask(api, searchMerchants, given(readSearch(url.searchParams)))),
    settleContent(args, ['sidebar']),
  ])
}

export function Page() {
  const t = useCopy()
  const [search] = useSearchParams()
  const [mode, setMode] = useState<'MOBILE_LIST' | 'MOBILE_MAP'>('MOBILE_LIST')
  const [chosen, setChosen] = useState<string | null>(null)
  const state = readSearch(search)
  // The map needs a document; the server sends the list, which says everything the map does.
  const inBrowser = useInBrowser()
  const answer = useQuery({ ...ask(useApi(), searchMerchants, given(state)), placeholderData: (before) => before })
  return (
    <>
      <Meta title={t('search.title')} />
      <div className={styles.page} data-mode={mode}>
        <h1 className="visually-hidden">{t('search.title')}</h1>
        <div className={styles.controls}>
          <SearchControls key={searchAddress(state)} state={state} />
        </div>
        <div className={styles.results} aria-busy={answer.isFetching}>
          {answer.isError && <SearchFailure error={answer.error} />}
          {answer.data && !answer.isError && <SearchResults state={state} answer={answer.data} onPoint={setChosen} />}
          {answer.isPending && <Skeleton height={400} />}
          <SideText name="search" />
        </div>
        <div className={styles.map}>
          {inBrowser && answer.data && !answer.isError && (
            <Suspense fallback={<Skeleton height={400} />}>
              <ResultMap answer={answer.data} chosen={chosen} label={t('search.map')} visible={mode} />
            </Suspense>
          )}
        </div>
        <div className={styles.toggle}>
          <Button type="button" onClick={() => setMode(mode === 'MOBILE_LIST' ? 'MOBILE_MAP' : 'MOBILE_LIST')}>
            {t(mode === 'MOBILE_LIST' ? 'search.show_map' : 'search.change_search')}
          </Button>
        </div>
      </div>
    </>
  )
}

function SearchFailure({ error }: { error: Error }) {
  const t = useCopy()
  const refused = error instanceof ApiError && (error.code === 'locationUnknown' || error.status === 400)
  if (refused) return <EmptyState level={2} title={t('search.none_title')} tagline={t('search.location_unknown')} />
  return <EmptyState level={2} title={t('search.error_title')} tagline={t('search.error_tagline')} />
}
