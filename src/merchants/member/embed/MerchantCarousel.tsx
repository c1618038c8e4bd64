import { Link } from 'react-router'
import { useCopy } from '../../../content/member/embed/use-copy.tsx'
import { useQuestion } from '../../../kit/web/query.ts'
import { Seen } from '../../../tracking/member/embed/Seen.tsx'
import { Carousel } from '../../../ui/Carousel.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { searchMerchants } from '../../contract.ts'
import { queryOf, readSearch } from '../../search-address.ts'
import { MerchantCard } from './MerchantCard.tsx'
import styles from './MerchantCarousel.module.css'

const pageSize = 15

/** A row of restaurants found by a search that content names. Without results there is no row. */
export function MerchantCarousel({ headline, body, query }: { headline: string; body: string; query: string }) {
  const t = useCopy()
  const search = queryOf(readSearch(new URLSearchParams(query)))
  const answer = useQuestion(searchMerchants, { query: { ...search, pageSize } as never })
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
