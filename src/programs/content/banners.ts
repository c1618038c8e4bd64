import { isFor } from './audience.ts'
import type { BannerFields, BannerText, OfferFields } from './collections.ts'

/** One item of a banner's text, in both lengths. */
export interface BannerItem {
  type: 'title' | 'text' | 'button' | 'link'
  desktop: string
  mobile: string
  url: string
}

const itemTypes = {
  title: 'title',
  text: 'text',
  body_text: 'text',
  button: 'button',
  link: 'link',
  standalone_link: 'link',
} as const

/** Returns the items of a banner; the short text defaults to the long one. */
export function toBannerItems(items: BannerText): BannerItem[] {
  return items
    .filter(({ text_desktop }) => text_desktop !== '')
    .map((item) => ({
      type: itemTypes[item.type],
      desktop: item.text_desktop,
      mobile: item.text_mobile || item.text_desktop,
      url: ('url' in item && item.url) || '',
    }))
}

/** The banner of a page. */
export interface PageBanner {
  image: string
  imageMobile: string
  alt: string
  welcome: boolean
  prospectEmail: boolean
  position: string
}

/** Returns the banner of a page; null when it is disabled or missing. */
export function toPageBanner(banner: BannerFields | undefined): PageBanner | null {
  if (!banner?.enable_banner) return null
  return {
    image: banner.image,
    imageMobile: banner.image_mobile || banner.image,
    alt: banner.image_mobile_alt_text,
    welcome: banner.include_welcome_message,
    prospectEmail: banner.include_prospect_email,
    position: `${banner.image_x_position} ${banner.image_y_position}`,
  }
}

/** A banner for an offer. */
export interface OfferBanner {
  type: OfferFields['type']
  code: string
  url: string
  image: string
  items: BannerItem[]
  /** Whole days; anything else means "always". */
  daysToDisplay: OfferFields['days_to_display']
  appOnly: boolean
  /** Text shown in a browser in place of the app-only button. */
  appText: string
}

/** Returns the banners of a type for a visitor state, sorted by `order`. */
export function toOfferBanners(
  banners: readonly OfferFields[],
  type: OfferBanner['type'],
  state: string,
): OfferBanner[] {
  return banners
    .filter((banner) => banner.type === type && isFor(banner.user_states, state))
    .toSorted((a, b) => a.order - b.order)
    .map((banner) => ({
      type,
      code: banner.code,
      url: banner.url ?? '',
      image: banner.image,
      items: toBannerItems(banner.banner_text),
      daysToDisplay: banner.days_to_display,
      appOnly: banner.app_only_bonus,
      appText: banner.app_text,
    }))
}
