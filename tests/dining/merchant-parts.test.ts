import { createElement } from 'react'
import { expect, test } from 'vitest'
import { toMerchant } from '../../src/dining/merchants/catalog/to-merchant.ts'
import type { Merchant, MerchantDetail, Offer } from '../../src/dining/merchants/contract.ts'
import { EarnPanel } from '../../src/dining/merchants/member/EarnPanel.tsx'
import { EarnLine } from '../../src/dining/merchants/member/embed/EarnLine.tsx'
import { MerchantCard } from '../../src/dining/merchants/member/embed/MerchantCard.tsx'
import { MerchantHighlights } from '../../src/dining/merchants/member/MerchantHighlights.tsx'
import { OrderOnline } from '../../src/dining/merchants/member/OrderOnline.tsx'
import { ReservationBlock } from '../../src/dining/reservations/member/embed/ReservationBlock.tsx'
import { apiQueryKey } from '../../src/platform/browser/query.ts'
import { listFlexOffers } from '../../src/rewards/activity/contract.ts'
import { merchantRow } from '../support/merchant-fixtures.ts'
import { type PartOptions, renderHtml, renderText } from '../support/render-part.tsx'

const offer = merchantRow().offers[0] as Offer

const merchant = (over: Partial<Merchant> = {}): Merchant => ({
  ...toMerchant(merchantRow(), { miles: null, origin: null, today: '2026-11-20' }),
  ...over,
})

const detail = (over: Partial<MerchantDetail> = {}) =>
  ({
    ...merchant(),
    participating: true,
    timeZone: 'America/New_York',
    hours: null,
    features: ['dineIn'],
    ordering: [],
    offers: [offer],
    ...over,
  }) as MerchantDetail

const optedIn = { publicId: 'ada', tierLevel: 'OptedIn', address: { zipCode: '10001' } }
const optedOut = { ...optedIn, tierLevel: 'OptedOut' }

test('CARDM-011 a rate is shown to members, to recipients of an invitation, and where no one signs in', () => {
  const line = (over: Partial<Merchant>, options: PartOptions) =>
    renderText(createElement(EarnLine, { merchant: merchant(over) }), options)
  const none = { earn: null }
  const member = { member: optedIn }
  expect([line({}, {}), line(none, {})]).toEqual(['Sign in to see offers', 'No reward right now'])
  const twice = { earn: { type: 'Unlimited' as const, days: [], ratePercent: 200 } }
  expect([line({}, member), line(twice, member)]).toEqual(['Earn 3 miles per dollar', 'Earn 6 miles per dollar'])
  expect(line({}, { known: { tierLevel: 'VIP' } })).toBe(line({}, { member: { ...optedIn, tierLevel: 'VIP' } }))
  expect(line({}, { known: { tierLevel: 'VIP' } })).toContain('5 miles per dollar')
  const without = [member, { known: { tierLevel: 'OptedIn' as const } }, { partner: 'lantern' }]
  for (const options of without) expect(line(none, options)).toBe('No reward right now')
  expect(line({}, { partner: 'lantern' })).toBe('Earn up to 3% in rewards')
})

test('CARDM-014 a restaurant for a higher tier is locked only where the program has such restaurants', () => {
  const line = (options: PartOptions) =>
    renderText(createElement(EarnLine, { merchant: merchant({ acclaimedLevel: 2 }) }), {
      partner: 'orchard',
      ...options,
    })
  const locked = 'Unlock access to earn'
  expect([line({ member: optedIn }), line({ member: { ...optedIn, tierLevel: 'VIP' } })]).toEqual([
    locked,
    expect.stringContaining('5 points per dollar'),
  ])
  expect(line({ member: optedIn, config: { acclaimed2Enabled: false } })).toContain('3 points per dollar')
  expect(line({})).toBe('Sign in to see offers')
})

test('the days, hours and minimum of an offer are shown to those who see its rate', () => {
  const limits = { hours: { from: '16:00', until: '18:30' }, minSpendCents: 2500 }
  const terms = (
    earn: Partial<NonNullable<Merchant['earn']>>,
    options: PartOptions = { member: optedIn },
    level = 0,
  ) => {
    const given = { type: 'Unlimited' as const, days: [0, 1, 2, 3, 4, 5, 6], ratePercent: 100, ...earn }
    const text = renderText(
      createElement(EarnLine, { merchant: merchant({ earn: given, acclaimedLevel: level }) }),
      options,
    )
    return text.replace(
      /^(Earn (up to )?[\d.]+ ?(miles per dollar|% in rewards)|Sign in to see offers|Unlock access to earn) ?/,
      '',
    )
  }
  expect([terms({}), terms({ days: [1, 2, 3] })]).toEqual(['', 'Mon–Wed'])
  expect(terms({ days: [5, 6], ...limits })).toMatch(/^Fri, Sat, .*4 PM.*6:30 PM, .*\$25\.00/)
  expect(terms({ hours: limits.hours })).toMatch(/^[^$]*4 PM.*6:30 PM[^$]*$/)
  expect(terms({ minSpendCents: 2500 })).toMatch(/^[^,]*\$25\.00[^,]*$/)
  expect(terms(limits, {})).toBe('')
  expect(terms(limits, { partner: 'lantern' })).not.toBe('')
  expect(terms(limits, { partner: 'orchard', member: optedIn }, 2)).toBe('')
})

test('CARDM-003 CARDM-004 CARDM-013 a card has the labels and the bonus that its program has', () => {
  const card = (over: Partial<Merchant>, options: PartOptions = {}) =>
    renderText(createElement(MerchantCard, { merchant: merchant(over), level: 2 }), options)
  const { details, location } = merchant()
  const acclaimed = { ...details, highlight: { ...details.highlight, acclaimed: true } }
  for (const over of [{ acclaimedLevel: 1 }, { details: acclaimed }])
    expect([card(over), card(over, { config: { acclaimedEnabled: false } })]).toEqual([
      expect.stringContaining('Acclaimed'),
      expect.not.stringContaining('Acclaimed'),
    ])
  const bookable = { reservationProviders: ['book'], benefitAvailability: { campaignCodes: ['WINTER'] } }
  const bonus = /500 miles when you reserve/
  expect(card(bookable)).toMatch(bonus)
  for (const config of [{ hasReservationBonus: false }, { openTableReservationsEnabled: false }]) {
    expect(card(bookable, { config })).not.toMatch(bonus)
    expect(card(bookable, { config })).toContain('Bonus offers')
  }
  expect(card({ ...bookable, reservationProviders: [] })).not.toMatch(bonus)
  // A personal offer replaces both.
  const offers = [{ merchantId: merchant().id, webMessageOfferAmount: '+2' }]
  const loaded = [[apiQueryKey(listFlexOffers, {}), { offers }]] as const
  const personal = card(bookable, { member: optedIn, config: { hasFlexOffers: true }, loaded })
  expect(personal).toMatch(/[^+\d]2\b/)
  expect(personal).not.toMatch(/\+2|reserve|Bonus offers/)
  // The city is not repeated.
  const place = (neighborhood: string) => card({ location: { ...location, neighborhood } })
  expect(place('Chelsea')).toContain('Chelsea, New York')
  for (const neighborhood of ['', 'New York']) expect(place(neighborhood)).not.toContain(', New York')
})

test('MERCH-008 online ordering is a label where there is a link to order by, and the only way where there is no other', () => {
  const ordering = [{ name: 'Slice', url: 'https://order.example' }]
  const labels = (over: Partial<MerchantDetail>, options: PartOptions = {}) =>
    renderText(createElement(MerchantHighlights, { merchant: detail(over) }), options)
  expect(labels({ features: ['onlineOrdering'] })).toBe('')
  const [only, also] = [
    labels({ ordering, features: ['onlineOrdering'] }),
    labels({ ordering, features: ['onlineOrdering', 'dineIn'] }),
  ]
  expect([also, labels({ ordering, features: ['dineIn'] })]).toEqual([
    'Online ordering available',
    'Online ordering available',
  ])
  expect(only).toMatch(/only/i)
  expect([
    labels({ acclaimedLevel: 1 }),
    labels({ acclaimedLevel: 1 }, { config: { acclaimedEnabled: false } }),
  ]).toEqual(['Acclaimed', ''])
})

test('MERCH-003 the dialog of a restaurant without links to order by says so', () => {
  const dialog = (ordering: MerchantDetail['ordering']) =>
    renderHtml(createElement(OrderOnline, { merchant: detail({ ordering }) }), { path: '/merchants/kumo/order-online' })
  const none = 'This restaurant doesn’t take online orders.'
  expect(dialog([])).toContain(none)
  const some = dialog([{ name: 'Slice', url: 'https://order.example/slice' }])
  expect(some).toContain('href="https://order.example/slice"')
  expect(some).not.toContain(none)
})

test('MERCH-018 a restaurant without an offer promises no bonus for a reservation', () => {
  const at = { reservationProviders: ['book'] }
  const without = detail({ ...at, earn: null, offers: [] })
  for (const options of [{}, { member: optedIn }]) {
    const text = (part: ReturnType<typeof createElement>) => renderText(part, options)
    const card = text(createElement(MerchantCard, { merchant: merchant({ ...at, earn: null }), level: 2 }))
    expect(card).toContain('No reward right now')
    expect(card).not.toMatch(/Sign in|500 miles/)
    const block = text(createElement(ReservationBlock, { merchant: without }))
    expect(block).toContain('Reserve a table')
    expect(block).not.toContain('500 miles')
  }
  expect(renderText(createElement(ReservationBlock, { merchant: detail(at) }))).toContain('500 miles')
})

test('the block of reservations says that it needs script, or a call where the number of the restaurant is known', () => {
  const noteAt = (phone: string) => {
    const location = { ...detail().location, phone }
    const html = renderHtml(
      createElement(ReservationBlock, { merchant: detail({ reservationProviders: ['book'], location }) }),
    )
    return /<noscript>(.*)<\/noscript>/.exec(html)?.[1]?.replace('<!-- -->', '')
  }
  const said = '<p>This step needs JavaScript. Please turn it on in your browser, and reload the page.</p>'
  const call = '<p>Or call the restaurant: <a href="tel:+12125550100">(212) 555-0100</a></p>'
  expect([noteAt('(212) 555-0100'), noteAt('')]).toEqual([said + call, said])
})

test('RESV-014 the block of reservations is there where the restaurant and the program take them', () => {
  const block = (over: Partial<MerchantDetail>, options: PartOptions = {}) =>
    renderText(
      createElement(ReservationBlock, { merchant: detail({ reservationProviders: ['book'], ...over }) }),
      options,
    )
  expect(block({})).toContain('Reserve a table')
  expect(block({})).toContain('Earn an extra 500 miles when you reserve here.')
  expect(block({}, { config: { hasReservationBonus: false } })).not.toContain('500 miles')
  expect([
    block({ participating: false }),
    block({ reservationProviders: [] }),
    block({}, { config: { openTableReservationsEnabled: false } }),
    block({}, { config: { enrollmentType: 'none' } }),
  ]).toEqual(['', '', '', ''])
})

const panel = (over: Partial<MerchantDetail>, options: PartOptions = {}) =>
  renderText(createElement(EarnPanel, { merchant: detail(over) }), options)

test('every limit of an offer is shown with its own amount', () => {
  const limited = {
    ...offer,
    type: 'Limited' as const,
    maxSpendCents: 15_000,
    maxVisitsPerMonth: 3,
    maxMonthlySpendCents: 40_000,
    minSpendCents: 2500,
    hours: { from: '16:00', until: '18:30' },
    endsOn: '2026-12-31',
  }
  const text = panel({ offers: [limited] }, { member: optedIn })
  expect(text).toContain('Limited offer.')
  expect(text).not.toContain('No limit')
  for (const part of ['$150.00', '3 of your visits', '$400.00', '$25.00', '4 PM to 6:30 PM', 'December 31, 2026'])
    expect(text).toContain(part)
  const plain = panel({}, { member: optedIn })
  expect(plain).toContain('Unlimited offer. No limit on visits or amounts.')
  expect(plain).not.toMatch(/\$1|\$4|\$25|visits each month|2026/)
  for (const [name, shown] of [
    ['maxSpendCents', '$150.00'],
    ['maxMonthlySpendCents', '$400.00'],
    ['maxVisitsPerMonth', '3 of your visits'],
  ] as const) {
    const one = panel({ offers: [{ ...offer, type: 'Limited', [name]: limited[name] }] }, { member: optedIn })
    expect(one).toContain(shown)
    expect(one).not.toMatch(name === 'maxSpendCents' ? /\$400|visits each/ : /\$150/)
  }
})

test('further offers are shown with their own rates and days', () => {
  const others = [
    { ...offer, days: [6], ratePercent: 50 },
    { ...offer, days: [0], ratePercent: 25 },
  ]
  const text = panel({ offers: [{ ...offer, ratePercent: 200 }, ...others] }, { member: optedIn })
  const rates = [...text.matchAll(/([\d.]+) miles? per dollar/g)].map(([, rate]) => rate)
  expect(rates).toEqual(['6', '1.5', '0.75'])
  expect([...text.matchAll(/Sunday: earns/g)]).toHaveLength(2)
  expect([...text.matchAll(/Saturday: earns/g)]).toHaveLength(2)
})

test('a restaurant without an offer says so, and one that has left says that instead', () => {
  const [none, gone] = ['This restaurant offers no reward right now.', 'This restaurant has left the program.']
  expect(panel({ offers: [] })).toContain(none)
  const left = panel({ offers: [], participating: false })
  expect(left).toContain(gone)
  expect(left).not.toMatch(/no reward|Bill/)
  for (const text of [none, gone]) expect(panel({})).not.toContain(text)
})

test('MERCH-013 MERCH-014 a member sees the rate with a personal offer, and none of a locked restaurant', () => {
  const others = { merchantId: 'another-restaurant', webMessageOfferAmount: '+9' }
  const options = (amount: string | null) => ({
    partner: 'orchard',
    member: optedIn,
    loaded: [
      [
        apiQueryKey(listFlexOffers, {}),
        { offers: [others, ...(amount ? [{ merchantId: detail().id, webMessageOfferAmount: amount }] : [])] },
      ],
    ] as const,
  })
  expect(panel({}, options(null))).toContain('3 points per dollar')
  const personal = panel({}, options('+5'))
  expect(personal).toContain('8 points per dollar')
  expect(personal).toContain('Your personal offer of 5 points per dollar is included.')
  const locked = panel({ acclaimedLevel: 2 }, options(null))
  expect(locked).toContain('Unlock access to earn')
  expect(locked).not.toMatch(/points per dollar|: earns|Earns on/)
  expect(panel({ acclaimedLevel: 1 }, { ...options(null), member: optedOut })).toContain('Unlock access to earn')
})

test('CARDM-006 a card has the rating, the price and the distance that are known, also the smallest', () => {
  const { details } = merchant()
  const card = (over: Partial<Merchant>) =>
    renderHtml(createElement(MerchantCard, { merchant: merchant(over), level: 2 })).replace(/<!-- -->/g, '')
  const rated = (numberOfRatings: number) => ({
    details: { ...details, rating: { overallRating: 4, numberOfRatings } },
  })
  expect([card(rated(0)), card(rated(1)), card(rated(2))].map((html) => /out of 5/.test(html))).toEqual([
    false,
    true,
    true,
  ])
  expect([card(rated(1)), card(rated(2))].map((html) => /\b1 ratings|\b2 ratings/.test(html))).toEqual([false, true])
  const priced = (priceRange: number) => card({ details: { ...details, priceRange } })
  expect([priced(0), priced(1)].map((html) => html.includes('<meter'))).toEqual([false, true])
  expect([card({ distance: 0 }), card({ distance: 1.25 })].map((html) => /([\d.]+) mi</.exec(html)?.[1])).toEqual([
    '0.0',
    '1.3',
  ])
  expect(card({ distance: null })).not.toMatch(/[\d.]+ mi</)
})

test('CARDM-012 the sign-in link of a card returns to the same search', () => {
  const line = (partner: string) =>
    renderHtml(createElement(EarnLine, { merchant: merchant() }), {
      partner,
      path: '/search?location=10001&isNew=true',
    })
  const returnTo = '?returnTo=%2Fsearch%3Flocation%3D10001%26isNew%3Dtrue'
  expect(line('skyharbor')).toContain(`href="/login${returnTo}"`)
  expect(line('beacon')).toContain(`href="/Login${returnTo}"`)
})
