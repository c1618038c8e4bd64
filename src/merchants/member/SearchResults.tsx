import { Link } from 'react-router'
import { useCopy } from '../../content/member/embed/use-copy.tsx'
import type { ReplyOf } from '../../kit/call.ts'
import { formatCount } from '../../kit/money.ts'
import { Seen } from '../../tracking/member/embed/Seen.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import type { searchMerchants } from '../contract.ts'
import { type SearchState, searchAddress } from '../search-address.ts'
import { MerchantCard } from './embed/MerchantCard.tsx'
import styles from './SearchResults.module.css'

type Answer = ReplyOf<typeof searchMerchants>

interface Props {
  state: SearchState
  answer: Answer
  /** The card under the pointer or the focus, for the map. */
  onPoint: (merchantId: string | null) => void
}

export function SearchResults({ state, answer, onPoint }: Props) {
  const t = useCopy()
  const { merchants, totalResultSize, totalPages, pageNo } = answer
  if (merchants.length === 0) {
    const filtersOff = {
      ...state,
      acclaimed: false,
      isNew: false,
      reservations: false,
      benefitsFor: [],
      features: [],
      mealsServed: [],
      priceRange: [],
      pageNo: 1,
    }
    return (
      <EmptyState
        level={2}
        title={t('search.none_title')}
        tagline={t('search.none_tagline')}
        action={<Link to={searchAddress(filtersOff)}>{t('search.clear')}</Link>}
      />
    )
  }
  return (
    <>
      <p className={styles.count} role="status">
        {heading(t, totalResultSize, answer.origin?.label)}
      </p>
      <ul className={styles.list}>
        {merchants.map((merchant, index) => (
          <li key={merchant.id} onMouseEnter={() => onPoint(merchant.id)} onFocus={() => onPoint(merchant.id)}>
            <Seen as="CardImpression" merchantId={merchant.id} className={styles.card}>
              <MerchantCard level={2} merchant={merchant} eager={index < 2} />
            </Seen>
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

function heading(t: ReturnType<typeof useCopy>, count: number, place: string | undefined): string {
  if (!place) return t('search.results_nowhere', { count: formatCount(count) })
  return count === 1 ? t('search.result_one', { place }) : t('search.results', { count: formatCount(count), place })
}
