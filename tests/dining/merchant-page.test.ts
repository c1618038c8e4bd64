import { createElement } from 'react'
import { expect, test } from 'vitest'
import { toMerchant } from '../../src/dining/merchants/catalog/to-merchant.ts'
import { getMerchant, type MerchantDetail } from '../../src/dining/merchants/contract.ts'
import { MerchantExtras } from '../../src/dining/merchants/member/MerchantExtras.tsx'
import { Page } from '../../src/dining/merchants/member/MerchantPage.tsx'
import { apiQueryKey } from '../../src/platform/browser/query.ts'
import { merchantRow } from '../support/merchant-fixtures.ts'
import { type PartOptions, renderHtml, renderText, textOf } from '../support/render-part.tsx'

const detail = (over: Partial<MerchantDetail> = {}) =>
  ({
    ...toMerchant(merchantRow({ phone: '(212) 555-0123' }), { miles: null, origin: null, today: '2026-11-20' }),
    participating: true,
    socialImageUrl: '/art/kumo/social/1.png',
    description: '',
    website: '',
    menuUrl: '',
    menus: [],
    menuImages: [],
    events: [],
    ordering: [],
    hours: null,
    timeZone: 'America/New_York',
    features: ['dineIn'],
    meals: ['dinner'],
    offers: [],
    ...over,
  }) as MerchantDetail

function page(over: Partial<MerchantDetail> = {}, options: PartOptions = {}): string {
  const merchant = detail(over)
  const params = { merchantId: merchant.id }
  const loaded = [[apiQueryKey(getMerchant, { params }), merchant]] as const
  return renderHtml(createElement(Page), { path: `/merchants/${merchant.id}`, params, loaded, ...options })
}
const crumbsOf = (html: string) => [...html.matchAll(/href="(\/restaurants[^"]*)"/g)].map(([, href]) => href)

test('ROUTE-042 a restaurant is below its city and its first cuisine, unless it has left', () => {
  expect(crumbsOf(page())).toEqual(['/restaurants', '/restaurants/new-york-ny', '/restaurants/new-york-ny/japanese'])
  expect(page()).toMatch(/aria-current="page">Kumo Sushi</)
  const { details } = detail()
  for (const cuisines of [[], ['***']])
    expect(crumbsOf(page({ details: { ...details, cuisines } }))).toEqual(['/restaurants', '/restaurants/new-york-ny'])
  expect(crumbsOf(page({ participating: false }))).toEqual([])
})

test('the links of a page call, order from and open the site of the restaurant, where it has them', () => {
  const hrefs = (over: Partial<MerchantDetail>) => [...page(over).matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
  const all = hrefs({ website: 'https://kumo.example/', ordering: [{ name: 'Slice', url: 'https://order.example' }] })
  const order = `/merchants/${detail().id}/order-online`
  expect(all).toEqual(expect.arrayContaining(['tel:+12125550123', 'https://kumo.example/', order]))
  const few = hrefs({ location: { ...detail().location, phone: '' } })
  expect(few.filter((href) => href?.startsWith('tel:') || href === '' || href === order)).toEqual([])
  expect(few.filter((href) => href?.includes('to=40.7495,-73.9962'))).toHaveLength(1)
})

test('the address of a restaurant has no empty part', () => {
  const { location } = detail()
  const shown = (over: Partial<typeof location.address>, neighborhood = '') =>
    textOf(page({ location: { ...location, neighborhood, address: { ...location.address, ...over } } }))
  expect(shown({}, 'Chelsea')).toContain('212 9th Avenue, Chelsea, New York, NY 10001')
  expect(shown({ address1: '', zipCode: '' })).toContain(' New York, NY ')
  expect(shown({ address1: '' })).not.toMatch(/, ,|^,/)
})

test('what is not known of a restaurant has no heading', () => {
  const extras = (over: Partial<MerchantDetail>) =>
    renderText(createElement(MerchantExtras, { merchant: detail(over) }))
  expect(extras({})).toBe('')
  const event = { title: 'Live music', date: '2026-03-08', text: 'From eight on.' }
  expect(extras({ description: 'Newly painted.' })).toContain('Newly painted.')
  expect(extras({ events: [event] })).toMatch(/Live music , Sun, March 8 From eight on\./)
  const hours = extras({
    hours: {
      5: [
        ['11:30', '14:00'],
        ['17:00', '24:00'],
      ],
    },
  } as Partial<MerchantDetail>)
  expect(hours).toMatch(/Thursday Closed Friday 11:30 AM – 2 PM, 5 PM – 12 AM Saturday Closed/)
  expect(hours).toContain('Eastern Time')
  expect(extras({ menuUrl: 'https://kumo.example/menu' })).toContain('See the full menu')
  const menus = [
    { section: 'Dinner', dishes: [{ name: 'Miso', priceCents: 850 }] },
    { section: 'Lunch', dishes: [] },
  ]
  const menu = renderHtml(createElement(MerchantExtras, { merchant: detail({ menus }) }))
  expect(textOf(menu)).toMatch(/Miso \$8\.50/)
  expect([...menu.matchAll(/<details[^>]*>/g)].map(([tag]) => / open/.test(tag))).toEqual([true, false])
})

test('a restaurant that has left is not for search engines', () => {
  const isUnlisted = (html: string) => /<meta name="robots" content="noindex/.test(html)
  expect([isUnlisted(page()), isUnlisted(page({ participating: false }))]).toEqual([false, true])
  const imageOf = (html: string) => /property="og:image" content="([^"]*)"/.exec(html)?.[1]
  expect(imageOf(page())).toContain('/art/kumo/social/1.png')
  expect(imageOf(page({ participating: false })) ?? '').not.toContain('/art/kumo')
})
