import type { OfferBanner } from '../rules.ts'
import { offersOf } from '../rules.ts'
import { BannerItems } from './BannerItems.tsx'
import { useContent } from './embed/use-content.ts'
import styles from './OfferCards.module.css'
import { useVisitor } from './use-visitor.ts'

/** The offers of these kinds that this visitor may see, as cards. */
export function OfferCards({ types }: { types: readonly OfferBanner['type'][] }) {
  const { state } = useVisitor()
  const { earn } = useContent('*')
  const offers = types.flatMap((type) => offersOf(earn?.banners, type, state))
  if (offers.length === 0) return null
  return (
    <ul className={styles.cards}>
      {offers.map((offer) => (
        <li key={offer.code} className={styles.card}>
          {offer.image !== '' && <img className={styles.picture} src={offer.image} alt="" loading="lazy" />}
          <div className={styles.words}>
            <BannerItems items={offer.items} level={2} url={offer.url} />
          </div>
        </li>
      ))}
    </ul>
  )
}
