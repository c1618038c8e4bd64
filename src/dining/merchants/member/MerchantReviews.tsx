import { useRef, useState } from 'react'
import { apiQuery, useApi } from '../../../platform/browser/query.ts'
import { useQuery } from '../../../platform/browser/use-query.ts'
import { NotLoaded } from '../../../programs/content/member/embed/lazy-part.tsx'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Pagination } from '../../../ui/Pagination.tsx'
import { Rating } from '../../../ui/Rating.tsx'
import { getMerchantReviews } from '../contract.ts'
import styles from './MerchantReviews.module.css'

const resultsPerPage = 6

/** The query for a page of reviews, shared by the loader and the page. */
export const reviewsOf = (merchantId: string, pageNo = 1) => ({
  params: { merchantId },
  query: { pageNo, resultsPerPage },
})

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

export function MerchantReviews({ merchantId }: { merchantId: string }) {
  const t = useCopy()
  const heading = useRef<HTMLHeadingElement>(null)
  const [pageNo, setPageNo] = useState(1)
  const result = useQuery(apiQuery(useApi(), getMerchantReviews, reviewsOf(merchantId, pageNo)), {
    keepsPrevious: true,
  })
  // The pages before can still be chosen when one cannot be loaded.
  const { data: reviews = [], totalPages = pageNo } = result.data ?? {}
  function turn(page: number): void {
    setPageNo(page)
    heading.current?.focus()
  }
  return (
    <section className={styles.reviews} aria-busy={result.isFetching}>
      <h2 ref={heading} tabIndex={-1}>
        {t('merchant.reviews')}
      </h2>
      {result.data?.data.length === 0 && <p>{t('merchant.no_reviews')}</p>}
      {result.isError && !result.data && <NotLoaded onRetry={result.refetch} />}
      <ul>
        {reviews.map((review) => (
          <li key={`${review.author}-${review.visitedOn}-${review.body.slice(0, 20)}`}>
            <Rating value={review.rating} label={t('merchant.rating', { rating: review.rating })} />
            <p>{review.body}</p>
            <p className={styles.author}>
              {review.author},{' '}
              <time dateTime={review.visitedOn}>{day.format(new Date(`${review.visitedOn}T00:00:00Z`))}</time>
            </p>
          </li>
        ))}
      </ul>
      {totalPages > 1 && (
        <Pagination
          page={pageNo}
          totalPages={totalPages}
          label={t('merchant.more_reviews')}
          pageOfText={t('search.page_of', { page: pageNo, total: totalPages })}
          previousText={t('search.previous')}
          nextText={t('search.next')}
          onChange={turn}
        />
      )}
    </section>
  )
}
