import { memo, Suspense } from 'react'
import { Link } from '../../../platform/browser/router/Link.tsx'
import { useFocusOnPage } from '../../../platform/browser/use-focus-on-page.ts'
import { formatCount } from '../../../platform/money.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { ImpressionTracker } from '../../../programs/tracking/member/embed/ImpressionTracker.tsx'
import type { Merchant, SearchResponse } from '../contract.ts'
import { positionLiterals } from '../names.ts'
import { type SearchState, searchAddress } from '../search-address.ts'
import { MerchantCard } from './embed/MerchantCard.tsx'
import type { Pointing } from './SearchLayout.tsx'
import styles from './SearchResults.module.css'

interface Props {
  state: SearchState
  response: SearchResponse
}

/** How many restaurants were found. Gets the focus when the list shows another page. */
export function ResultCount({
  state,
  response,
  placeName,
}: Props & {
  /** Name of the location when the search has none. */
  placeName: string | null
}) {
  const t = useCopy()
  const list = searchAddress({ ...state, pageNo: 1 })
  const start = useFocusOnPage<HTMLParagraphElement>(response.pageNo, list)
  return (
    <p ref={start} className={styles.count} tabIndex={-1}>
      {heading(t, state, response, placeName)}
    </p>
  )
}

export function SearchResults({ state, response, pointing: { pointed, onPoint } }: Props & { pointing: Pointing }) {
  const t = useCopy()
  const { merchants, totalPages, pageNo } = response
  return (
    <>
      <ul className={styles.list}>
        {merchants.map((merchant, index) => (
          <li
            key={merchant.id}
            data-pointed={merchant.id === pointed || undefined}
            onMouseEnter={() => onPoint(merchant.id)}
            onFocus={() => onPoint(merchant.id)}
          >
            <Result merchant={merchant} eager={index < 2} />
          </li>
        ))}
      </ul>
      {totalPages > 1 && (
        <nav className={styles.pages} aria-label={t('search.pages')}>
          {pageNo > 1 && <Link to={searchAddress({ ...state, pageNo: pageNo - 1 })}>{t('search.previous')}</Link>}
          <span>{t('search.page_of', { page: pageNo, total: formatCount(totalPages) })}</span>
          {pageNo < totalPages && <Link to={searchAddress({ ...state, pageNo: pageNo + 1 })}>{t('search.next')}</Link>}
        </nav>
      )}
    </>
  )
}

/** Hydrated one by one, so that the page responds in between; rendered again only for another restaurant. */
const Result = memo(function Result({ merchant, eager }: { merchant: Merchant; eager: boolean }) {
  return (
    <Suspense>
      <ImpressionTracker as="CardImpression" merchantId={merchant.id} className={styles.card}>
        <MerchantCard level={2} merchant={merchant} eager={eager} />
      </ImpressionTracker>
    </Suspense>
  )
})

function heading(
  t: ReturnType<typeof useCopy>,
  { location }: SearchState,
  response: SearchResponse,
  placeName: string | null,
): string {
  const { totalResultSize, origin } = response
  const count = formatCount(totalResultSize)
  const isOne = totalResultSize === 1
  if (!origin) return t(isOne ? 'search.results_nowhere_one' : 'search.results_nowhere', { count })
  if (location === positionLiterals[1]) return t(isOne ? 'search.results_map_one' : 'search.results_map', { count })
  if (!placeName && positionLiterals.some((name) => name === origin.label)) {
    return t(isOne ? 'search.results_here_one' : 'search.results_here', { count })
  }
  const place = placeName ?? origin.label
  // Within a state nothing has a distance.
  const isState = response.merchants[0]?.distance === null
  if (isState) return t(isOne ? 'search.results_in_one' : 'search.results_in', { count, place })
  return t(isOne ? 'search.result_one' : 'search.results', { count, place })
}
