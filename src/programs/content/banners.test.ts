import { expect, test } from 'vitest'
import { toBannerItems } from './banners.ts'

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
