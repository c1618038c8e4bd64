import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { PriceMeter } from '../../../../ui/PriceMeter.tsx'
import { Rating } from '../../../../ui/Rating.tsx'
import type { Merchant } from '../../contract.ts'

/** Rating, price range and cuisine; unknown parts are not shown. */
export function MerchantFacts({ details }: Pick<Merchant, 'details'>) {
  const t = useCopy()
  const { rating, priceRange, cuisines } = details
  return (
    <>
      {rating.numberOfRatings > 0 && (
        <Rating
          value={rating.overallRating}
          label={t('merchant.rating', { rating: rating.overallRating.toFixed(1) })}
          count={{
            shown: t('merchant.ratings', { count: rating.numberOfRatings }),
            read:
              rating.numberOfRatings === 1
                ? t('merchant.ratings_reader_one')
                : t('merchant.ratings_reader', { count: rating.numberOfRatings }),
          }}
        />
      )}
      {priceRange > 0 && <PriceMeter level={priceRange} label={t('merchant.price', { level: priceRange })} />}
      {cuisines.length > 0 && <span>{cuisines.join('/')}</span>}
    </>
  )
}
