import { expect, test } from 'vitest'
import { toBannerItems, toOfferBanners, toPageBanner } from './banners.ts'

test('the items of a banner have the short text on phones, else the long one, and none is empty', () => {
  const items = toBannerItems([
    { type: 'title', text_desktop: 'Dine out and earn miles', text_mobile: 'Earn miles' },
    { type: 'body_text', text_desktop: 'At 200 restaurants', text_mobile: '' },
    { type: 'text', text_desktop: '', text_mobile: 'On phones only' },
    { type: 'button', text_desktop: 'Join', text_mobile: 'Join now', url: '/join' },
    { type: 'standalone_link', text_desktop: 'How it works', text_mobile: '', url: '/how' },
  ])
  expect(items).toEqual([
    { type: 'title', desktop: 'Dine out and earn miles', mobile: 'Earn miles', url: '' },
    { type: 'text', desktop: 'At 200 restaurants', mobile: 'At 200 restaurants', url: '' },
    { type: 'button', desktop: 'Join', mobile: 'Join now', url: '/join' },
    { type: 'link', desktop: 'How it works', mobile: 'How it works', url: '/how' },
  ])
})

test('the banner of a page has its image on phones too, and is null when it is disabled', () => {
  const banner = {
    enable_banner: true,
    image: '/images/wide.svg',
    image_mobile: '',
    image_mobile_alt_text: 'A table',
    image_x_position: 'left',
    image_y_position: '20%',
    include_welcome_message: true,
    include_prospect_email: false,
  }
  expect(toPageBanner(banner)).toEqual({
    image: '/images/wide.svg',
    imageMobile: '/images/wide.svg',
    alt: 'A table',
    welcome: true,
    prospectEmail: false,
    position: 'left 20%',
  })
  expect(toPageBanner({ ...banner, image_mobile: '/images/tall.svg' })?.imageMobile).toBe('/images/tall.svg')
  expect([toPageBanner({ ...banner, enable_banner: false }), toPageBanner(undefined)]).toEqual([null, null])
})

test('offers are listed by their order, of one type and for the state of the visitor', () => {
  const offer = { banner_text: [], image: '', app_only_bonus: false, app_text: '', user_states: [] }
  const offers = [
    { ...offer, type: 'earn' as const, code: 'last', order: 30 },
    { ...offer, type: 'earn' as const, code: 'first', order: 4, user_states: ['tier3' as const] },
    { ...offer, type: 'bonus' as const, code: 'other-type', order: 1 },
    { ...offer, type: 'earn' as const, code: 'other-state', order: 2, user_states: ['closed' as const] },
    { ...offer, type: 'earn' as const, code: 'second', order: 20 },
  ]
  expect(toOfferBanners(offers, 'earn', 'tier3').map(({ code }) => code)).toEqual(['first', 'second', 'last'])
})
