import type { ReactNode } from 'react'
import { type BannerItem, type OfferBanner, toOfferBanners } from '../../banners.ts'
import { BannerItems } from '../BannerItems.tsx'
import { useVisitor } from '../use-visitor.ts'
import styles from './OfferCards.module.css'
import { useEntries } from './use-content.ts'

/** Returns the banners of a type that this visitor may see. */
export function useOffers(type: OfferBanner['type']): OfferBanner[] {
  const { state } = useVisitor()
  const earn = useEntries('*').find((entry) => entry.slug === 'earn')
  return toOfferBanners(earn?.fields.banners ?? [], type, state)
}

interface Props {
  offers: readonly OfferBanner[]
  level?: 2 | 3 | 4
  /** Replaces a banner's button. */
  button?: (offer: OfferBanner, item: BannerItem) => ReactNode
}

/** Offers as cards. */
export function OfferCards({ offers, level = 2, button }: Props) {
  if (offers.length === 0) return null
  return (
    <ul className={styles.cards}>
      {offers.map((offer) => (
        <li key={offer.code} className={styles.card}>
          {offer.image !== '' && <img className={styles.image} src={offer.image} alt="" loading="lazy" />}
          <div className={styles.text}>
            <BannerItems
              items={offer.items}
              level={level}
              url={offer.url}
              {...(button && { button: (item) => button(offer, item) })}
            />
          </div>
        </li>
      ))}
    </ul>
  )
}
