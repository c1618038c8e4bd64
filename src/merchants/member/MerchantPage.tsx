import { ExternalLink, MapPin, Phone } from 'lucide-react'
import { useParams } from 'react-router'
import { SideText } from '../../content/member/embed/SideText.tsx'
import { settleContent } from '../../content/member/embed/use-content.ts'
import { useCopy } from '../../content/member/embed/use-copy.tsx'
import { ask, type PageArgs, useAnswer } from '../../kit/web/query.ts'
import { orNotFound } from '../../kit/web/redirects.ts'
import { Meta } from '../../partners/member/embed/Meta.tsx'
import { PriceMeter } from '../../ui/PriceMeter.tsx'
import { Rating } from '../../ui/Rating.tsx'
import { getMerchant, getMerchantReviews } from '../contract.ts'
import { EarnPanel } from './EarnPanel.tsx'
import { placeOf } from './embed/MerchantCard.tsx'
import { MerchantExtras } from './MerchantExtras.tsx'
import styles from './MerchantPage.module.css'
import { MerchantReviews } from './MerchantReviews.tsx'

const reviewsOf = (merchantId: string) => ({ params: { merchantId }, query: { pageNo: 1, resultsPerPage: 10 } })

export async function load(args: PageArgs): Promise<void> {
  const { api, cache, params } = args
  const merchantId = params.merchantId ?? ''
  await orNotFound(cache.ensureQueryData(ask(api, getMerchant, { params: { merchantId } })))
  await Promise.all([
    cache.prefetchQuery(ask(api, getMerchantReviews, reviewsOf(merchantId))),
    settleContent(args, ['sidebar']),
  ])
}

export function Page() {
  const t = useCopy()
  const { merchantId = '' } = useParams()
  const merchant = useAnswer(getMerchant, { params: { merchantId } })
  const reviews = useAnswer(getMerchantReviews, reviewsOf(merchantId))
  const { details, location, images } = merchant
  const place = placeOf(location)
  return (
    <article>
      <Meta title={`${merchant.name}, ${place}`} description={merchant.description || undefined} />
      <div className={styles.hero}>
        <img
          src={`${images.imageBaseUrl}?w=600&r=1.6`}
          width={600}
          height={375}
          alt=""
          className={styles.cover}
          fetchPriority="high"
        />
        <div className={styles.heading}>
          <h1>{merchant.name}</h1>
          <p className={styles.facts}>
            {details.rating.numberOfRatings > 0 && (
              <Rating
                value={details.rating.overallRating}
                label={t('merchant.rating', { rating: details.rating.overallRating.toFixed(1) })}
                count={t('merchant.ratings', { count: details.rating.numberOfRatings })}
              />
            )}
            {details.priceRange > 0 && (
              <PriceMeter level={details.priceRange} label={t('merchant.price', { level: details.priceRange })} />
            )}
            <span>{details.cuisines.join('/')}</span>
          </p>
          <p className={styles.address}>
            {[location.address.address1, place, `${location.address.state} ${location.address.zipCode}`.trim()]
              .filter(Boolean)
              .join(', ')}
          </p>
          <p className={styles.actions}>
            {location.phone && (
              <a href={`tel:+1${location.phone.replace(/\D/g, '')}`}>
                <Phone aria-hidden="true" size={18} />
                {t('merchant.phone')} {location.phone}
              </a>
            )}
            <a
              href={`https://www.openstreetmap.org/directions?to=${location.latitude},${location.longitude}`}
              target="_blank"
              rel="noopener noreferrer"
            >
              <MapPin aria-hidden="true" size={18} />
              {t('merchant.directions')}
            </a>
            {merchant.website && (
              <a href={merchant.website} target="_blank" rel="noopener noreferrer">
                <ExternalLink aria-hidden="true" size={18} />
                {t('merchant.website')}
              </a>
            )}
          </p>
        </div>
      </div>
      <div className={styles.body}>
        <EarnPanel merchant={merchant} />
        <SideText name="merchants" />
        <MerchantExtras merchant={merchant} />
        <MerchantReviews reviews={reviews} />
      </div>
    </article>
  )
}
