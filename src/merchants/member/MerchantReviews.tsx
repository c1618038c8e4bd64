import { useCopy } from '../../content/member/embed/use-copy.tsx'
import type { ReplyOf } from '../../kit/call.ts'
import { Rating } from '../../ui/Rating.tsx'
import type { getMerchantReviews } from '../contract.ts'
import styles from './MerchantReviews.module.css'

export function MerchantReviews({ reviews }: { reviews: ReplyOf<typeof getMerchantReviews> }) {
  const t = useCopy()
  return (
    <section className={styles.reviews}>
      <h2>{t('merchant.reviews')}</h2>
      {reviews.data.length === 0 && <p>{t('merchant.no_reviews')}</p>}
      <ul>
        {reviews.data.map((review) => (
          <li key={`${review.author}-${review.visitedOn}-${review.body.slice(0, 20)}`}>
            <Rating value={review.rating} label={t('merchant.rating', { rating: review.rating })} />
            <p>{review.body}</p>
            <p className={styles.author}>
              {review.author}, <time dateTime={review.visitedOn}>{review.visitedOn}</time>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
