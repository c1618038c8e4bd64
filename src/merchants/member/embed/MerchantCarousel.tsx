import { Link } from 'react-router'
import { useCopy } from '../../../content/member/embed/use-copy.tsx'
import { useQuestion } from '../../../kit/web/query.ts'
import { usePassivePoint } from '../../../places/member/embed/use-passive-point.ts'
import { defaultCity } from '../../../places/rules.ts'
import { Seen } from '../../../tracking/member/embed/Seen.tsx'
import { Carousel } from '../../../ui/Carousel.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { positionLiterals, searchMerchants } from '../../contract.ts'
import { queryOf, readSearch } from '../../search-address.ts'
import { MerchantCard } from './MerchantCard.tsx'
import styles from './MerchantCarousel.module.css'

const pageSize = 15
const [currentLocation] = positionLiterals

interface Props {
  headline: string
  body: string
  /** A search as an address carries it. */
  query: string
}

/**
 * A row of restaurants found by a search that content names, near the visitor where the search names no place and
 * they have allowed it before. Without results there is no row.
 */
export function MerchantCarousel({ headline, body, query }: Props) {
  const state = readSearch(new URLSearchParams(query))
  const anywhere = state.location === ''
  const point = usePassivePoint(anywhere)
  const around = anywhere && point ? { location: currentLocation, ...point } : {}
  return (
    <Row
      headline={headline}
      body={body}
      query={query}
      search={{ ...queryOf(state), ...around }}
      ready={point !== undefined}
    />
  )
}

/** Restaurants near a member, or in the city that is named when nobody may know where they are. */
export function NearbyCarousel() {
  const t = useCopy()
  const point = usePassivePoint(true)
  const location = point ? currentLocation : defaultCity
  return (
    <Row
      headline={point ? t('merchant.nearby') : t('merchant.nearby_city', { city: defaultCity })}
      body=""
      query={new URLSearchParams({ location }).toString()}
      search={{ location, ...point }}
      ready={point !== undefined}
    />
  )
}

function Row({ headline, body, query, search, ready }: Props & { search: Record<string, unknown>; ready: boolean }) {
  const t = useCopy()
  const answer = useQuestion(searchMerchants, { query: { ...search, pageSize } as never }, { enabled: ready })
  if (answer.isError || answer.data?.merchants.length === 0) return null
  return (
    <section className={styles.row} aria-label={headline}>
      <header>
        <div>
          <h2>{headline}</h2>
          {body && <p>{body}</p>}
        </div>
        <Link to={`/search?${query}`}>
          {t('merchant.view_all')}
          <span className="visually-hidden">: {headline}</span>
        </Link>
      </header>
      {answer.data ? (
        <Carousel label={headline} previousLabel={t('search.previous')} nextLabel={t('search.next')} dots>
          {answer.data.merchants.map((merchant) => (
            <Seen key={merchant.id} as="CarouselImpression" merchantId={merchant.id} className={styles.slide}>
              <MerchantCard level={3} merchant={merchant} />
            </Seen>
          ))}
        </Carousel>
      ) : (
        <Skeleton height={320} />
      )}
    </section>
  )
}
