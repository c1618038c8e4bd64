import { isFor } from './audience.ts'
import { toText } from './blocks.ts'

/** One item of a banner's text, in both lengths. */
export interface BannerItem {
  type: 'title' | 'text' | 'button' | 'link'
  desktop: string
  mobile: string
  url: string
}

const itemTypes: Record<string, BannerItem['type']> = {
  title: 'title',
  text: 'text',
  body_text: 'text',
  button: 'button',
  link: 'link',
  standalone_link: 'link',
}

/** Returns the items of a banner; the short text defaults to the long one. Unknown types are omitted. */
export function toBannerItems(field: unknown): BannerItem[] {
  if (!Array.isArray(field)) return []
  return field.flatMap((item): BannerItem[] => {
    const type = itemTypes[toText(item?.type)]
    const desktop = toText(item?.text_desktop) || toText(item?.text)
    if (!type || !desktop) return []
    return [{ type, desktop, mobile: toText(item.text_mobile) || desktop, url: toText(item.url) }]
  })
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

/** Returns the banner of a content field; null when it is disabled or missing. */
export function toPageBanner(field: unknown): PageBanner | null {
  const banner = (field ?? {}) as Record<string, unknown>
  if (banner.enable_banner !== true) return null
  const image = toText(banner.image)
  return {
    image,
    imageMobile: toText(banner.image_mobile) || image,
    alt: toText(banner.image_mobile_alt_text),
    welcome: banner.include_welcome_message === true,
    prospectEmail: banner.include_prospect_email === true,
    position: `${toText(banner.image_x_position) || '50%'} ${toText(banner.image_y_position) || '50%'}`,
  }
}

/** A banner for an offer. */
export interface OfferBanner {
  type: 'bonus' | 'earn' | 'enrollment'
  code: string
  url: string
  image: string
  items: BannerItem[]
  /** Whole days; anything else means "always". */
  daysToDisplay: unknown
  appOnly: boolean
  /** Text shown in a browser in place of the app-only button. */
  appText: string
}

/** Returns the banners of a type for a visitor state, sorted by `order`. */
export function toOfferBanners(field: unknown, type: OfferBanner['type'], state: string): OfferBanner[] {
  if (!Array.isArray(field)) return []
  return field
    .filter((item) => item?.type === type && isFor(item.user_states, state))
    .sort((a, b) => Number(a.order ?? 0) - Number(b.order ?? 0))
    .map(({ code, url, image, banner_text, days_to_display, app_only_bonus, app_text }) => ({
      type,
      code: toText(code),
      url: toText(url),
      image: toText(image),
      items: toBannerItems(banner_text),
      daysToDisplay: days_to_display,
      appOnly: app_only_bonus === true,
      appText: toText(app_text),
    }))
}
