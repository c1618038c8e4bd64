import { createElement, Fragment } from 'react'
import { expect, test } from 'vitest'
import { toMerchant } from '../../src/dining/merchants/catalog/to-merchant.ts'
import type { Merchant, MerchantDetail, Pin, Offer as ShownOffer } from '../../src/dining/merchants/contract.ts'
import { earningOf } from '../../src/dining/merchants/earning/rules.ts'
import { EarnPanel } from '../../src/dining/merchants/member/EarnPanel.tsx'
import { MerchantCard } from '../../src/dining/merchants/member/embed/MerchantCard.tsx'
import { usePinFacts } from '../../src/dining/merchants/member/embed/use-pin-facts.ts'
import { structuredData } from '../../src/dining/merchants/member/structured-data.ts'
import { ReservationBlock } from '../../src/dining/reservations/member/embed/ReservationBlock.tsx'
import { apiQueryKey } from '../../src/platform/browser/query.ts'
import type { ProgramConfig, TierLevel } from '../../src/programs/partners/contract.ts'
import { publicConfig } from '../../src/programs/partners/public-config.ts'
import { extraRateText } from '../../src/programs/partners/rates.ts'
import { getEarnQuote, getFlexOffer, listFlexOffers } from '../../src/rewards/activity/contract.ts'
import { programTerms } from '../../src/rewards/awards/current-terms.ts'
import { explain } from '../../src/rewards/earning/explain.ts'
import { computeAward, countedCentsOf } from '../../src/rewards/earning/rules.ts'
import type { AwardInput, Offer } from '../../src/rewards/earning/terms.ts'
import { merchantRow } from '../support/merchant-fixtures.ts'
import { type PartOptions, renderText } from '../support/render-part.tsx'
import { loadSamplePrograms } from '../support/sample-programs.ts'

const tiers = ['OptedOut', 'NonActivated', 'OptedIn', 'VIP'] as const
const everyDay = merchantRow().offers[0] as ShownOffer

/** Offers with the moments at which they earn, and at which they do not. March 10, 2026 is a Tuesday. */
const offers: Record<string, { offers: ShownOffer[]; earnsAt: string; not?: string; limits?: RegExp }> = {
  none: { offers: [], earnsAt: '' },
  daily: { offers: [everyDay], earnsAt: '2026-03-10T19:00' },
  increased: { offers: [{ ...everyDay, ratePercent: 125 }], earnsAt: '2026-03-10T19:00' },
  someDays: {
    offers: [{ ...everyDay, days: [1, 2, 3] }],
    earnsAt: '2026-03-10T19:00',
    not: '2026-03-12T19:00',
    limits: /Mon–Wed/,
  },
  evenings: {
    offers: [{ ...everyDay, hours: { from: '17:00', until: '21:00' } }],
    earnsAt: '2026-03-10T19:00',
    not: '2026-03-10T12:00',
    limits: /5 PM to 9 PM/,
  },
  withMinimum: {
    offers: [{ ...everyDay, minSpendCents: 25_00 }],
    earnsAt: '2026-03-10T19:00',
    limits: /\$25\.00 or more/,
  },
}

interface Case {
  config: ProgramConfig
  /** Null for a visitor who is not known. */
  tier: TierLevel | null
  signedIn: boolean
  level: number
  offer: string
  flexRate: number
}

function* cases(config: ProgramConfig): Generator<Case> {
  for (const offer of Object.keys(offers))
    for (const level of [0, 1, 2]) {
      yield { config, tier: null, signedIn: false, level, offer, flexRate: 0 }
      for (const tier of tiers) {
        yield { config, tier, signedIn: false, level, offer, flexRate: 0 }
        yield { config, tier, signedIn: true, level, offer, flexRate: 0 }
        if (config.hasFlexOffers) yield { config, tier, signedIn: true, level, offer, flexRate: 100 }
      }
    }
}

const nameOf = ({ config, tier, signedIn, level, offer, flexRate }: Case) =>
  [config.code, tier ?? 'visitor', signedIn ? 'signed in' : 'not signed in', `level ${level}`, offer, flexRate].join(
    ', ',
  )

const termsOf = (shown: ShownOffer, index: number): Offer => {
  const { hours, minSpendCents, maxMonthlySpendCents: _, ...rest } = shown
  return { id: index + 1, ...rest, ...(hours && { hours }), ...(minSpendCents > 0 && { minSpendCents }) }
}

/** Returns the award of a bill by the engine, for a tier at a local moment in New York (summer time). */
function award({ config, level, offer, flexRate }: Case, tier: TierLevel, cents: number, at: string) {
  const input: AwardInput = {
    stage: 'cleared',
    currency: 'USD',
    cents,
    refundedCents: 0,
    dinedAt: new Date(`${at}-04:00`).toISOString(),
    earlierVisits: 0,
    ...(flexRate > 0 && { flexRate }),
    program: programTerms(config, '2026-03-10'),
    member: { tier, open: true, cardLinkedAt: '2026-01-01T00:00:00.000Z' },
    merchant: {
      timeZone: 'America/New_York',
      participating: true,
      joinedOn: '2021-01-01',
      leftOn: null,
      acclaimedLevel: level,
      offers: (offers[offer]?.offers ?? []).map(termsOf),
    },
  }
  return computeAward(input)
}

/** Returns what a text promises for a bill, in the smallest unit. */
function promised(rate: string, cents: number): number {
  const step = /^([\d.]+)¢ per gallon for every \$(\d+)/.exec(rate)
  if (step) return Math.floor(Number(step[1]) * Math.floor(cents / (Number(step[2]) * 100)))
  const percent = /^([\d.]+)%/.exec(rate)
  if (percent) return Math.floor((cents * Math.round(Number(percent[1]) * 100)) / 10_000)
  const perDollar = /^([\d.]+) (?:miles?|points?) per dollar/.exec(rate)
  return Math.floor((cents * Math.round(Number(perDollar?.[1]) * 100)) / 10_000)
}

const anyRate = /[\d.]+(?:¢ per gallon for every \$\d+|% (?:cash back|in rewards)| (?:miles?|points?) per dollar)/g

const Facts = ({ pin }: { pin: Pin }) => usePinFacts()(pin)

interface Texts {
  card: string
  pin: string
  panel: string
  reservation: string
}

/** Renders every part of a page that speaks of what a restaurant earns, with the calculator's result by the engine. */
function render(each: Case): Texts {
  const { config, tier, signedIn, level, offer, flexRate } = each
  const shown = offers[offer] as (typeof offers)[string]
  const row = merchantRow({ acclaimedLevel: level, offers: shown.offers, reservationProvider: 'book' })
  const merchant: Merchant = toMerchant(row, { miles: null, origin: null, today: '2026-03-10' })
  const detail = {
    ...merchant,
    participating: true,
    timeZone: 'America/New_York',
    hours: null,
    features: ['dineIn'],
    ordering: [],
    offers: shown.offers,
  } as unknown as MerchantDetail
  const { type: _, ...earn } = merchant.earn ?? { type: '', ratePercent: null }
  const pin = { ...earn, id: row.publicId, name: row.name, priceRange: 0, acclaimedLevel: level } as Pin
  const { benefit, reason, awardStatus } = award(each, tier ?? 'OptedIn', 60_00, shown.earnsAt || '2026-03-10T19:00')
  const quote = {
    benefit,
    reason: explain(publicConfig(config), { reason, merchantName: row.name, benefit, awardStatus }),
    basis: signedIn ? 'member' : 'newMember',
    tier: tier ?? 'OptedIn',
    ratePercent: shown.offers[0]?.ratePercent ?? 0,
    flexRate,
    countedCents: countedCentsOf({ benefit, reason }),
    visits: null,
    bonus: 0,
    cardMissing: false,
  }
  const amount = flexRate > 0 ? extraRateText(publicConfig(config), flexRate) : null
  const options: PartOptions = {
    partner: config.code,
    member: signedIn ? { publicId: 'ada', tierLevel: tier, address: { zipCode: '10001' } } : null,
    known: signedIn || tier === null ? null : { publicId: 'ada', firstName: 'Ada', tierLevel: tier },
    loaded: [
      // A visitor who is known but not signed in gets the quote of a new member.
      [apiQueryKey(getEarnQuote, { params: { merchantId: row.publicId }, query: { amount: '60.00' } } as never), quote],
      [
        apiQueryKey(getFlexOffer, { params: { merchantId: row.publicId, publicId: 'ada' } }),
        { webMessageOfferAmount: amount },
      ],
      [
        apiQueryKey(listFlexOffers, {}),
        { offers: amount ? [{ id: '1', merchantId: row.publicId, webMessageOfferAmount: amount }] : [] },
      ],
    ],
  }
  const earning = earningOf({ config: publicConfig(config), tier, acclaimedLevel: level, ratePercent: null })
  expect(earning.kind).toBe('nothing')
  const isLocked =
    earningOf({
      config: publicConfig(config),
      tier,
      acclaimedLevel: level,
      ratePercent: merchant.earn?.ratePercent ?? null,
    }).kind === 'locked'
  const block = createElement(ReservationBlock, { merchant: detail, isLocked })
  expect(JSON.stringify(structuredData(detail, { url: '', image: '' }))).not.toMatch(/earn|reward|per dollar|%/i)
  return {
    card: renderText(createElement(MerchantCard, { merchant, level: 2 }), options),
    pin: renderText(createElement(Facts, { pin }), options),
    panel: renderText(createElement(EarnPanel, { merchant: detail }), options),
    reservation: renderText(createElement(Fragment, null, block), options),
  }
}

/** Sentences that name earning without promising it. */
const notPromises = [
  'What this meal earns',
  'What would my meal earn?',
  'Unlock access to earn',
  'to earn here next time',
  'to earn here from your next meal on',
  'to earn here',
  'earns nothing',
]
const promisesIn = (text: string) => notPromises.reduce((rest, phrase) => rest.replaceAll(phrase, ''), text)

const bills = [10_00, 60_00, 123_45, 400_00]

/** Checks all texts of a case against each other and the engine. */
function check(each: Case): void {
  const { config, tier, level, offer, flexRate } = each
  const { earnsAt, not, limits } = offers[offer] as (typeof offers)[string]
  const { card, pin, panel, reservation } = render(each)
  const all = [card, pin, panel, reservation].join(' | ')
  if (offer === 'none') {
    expect(
      promisesIn(all).replace(
        /Earn an extra \S+ \S+ when you reserve here|\S+ (miles|points|per gallon) when you reserve/g,
        '',
      ),
    ).not.toMatch(anyRate)
    expect(card).toContain('No reward right now')
    expect(panel).toContain('offers no reward')
    return
  }
  // A program without sign-in, and one whose visitors must sign in to see offers, have no own rate.
  if (tier !== null && award(each, tier, 400_00, earnsAt).benefit === 0) {
    // Locked at every moment: no text promises anything, and each says what to do.
    expect(award(each, tier, 400_00, earnsAt).reason.code).toBe('accessLocked')
    const said = promisesIn(all)
    expect(said).not.toMatch(/\bearns?\b|when you reserve/i)
    expect(said.match(anyRate)).toBeNull()
    const way = tier === 'NonActivated' ? /[Aa]ctivate/ : level === 2 ? /VIP/ : /emails/
    expect(panel).toMatch(way)
    if (tier === 'NonActivated') expect(panel).not.toMatch(/[Oo]pt in/)
    expect(card).toContain('Unlock access to earn')
    return
  }
  const calculator = panel.indexOf('What would my meal earn?')
  const page = panel.slice(0, calculator)
  // The rates of the card, the pin and the page; a personal part is not a rate of its own.
  const personal = /Your personal offer of .+? is included/g
  const ratesOf = (text: string) => text.replace(personal, '').match(anyRate) ?? []
  const shownRates = [...ratesOf(card), ...ratesOf(pin), ...ratesOf(page)]
  expect(new Set(shownRates).size).toBe(1)
  const [rate = ''] = shownRates
  const earner = tier ?? (config.acclaimed2Enabled && level === 2 ? 'VIP' : config.hasVIP ? 'VIP' : 'OptedIn')
  for (const cents of bills.filter((bill) => bill >= 25_00 || offer !== 'withMinimum')) {
    const { benefit } = award(each, earner, cents, earnsAt)
    expect([cents, promised(rate, cents)]).toEqual([cents, benefit])
  }
  if (not) {
    expect(award(each, earner, 400_00, not).benefit).toBe(0)
  }
  if (limits) {
    expect(page).toMatch(limits)
    if (ratesOf(card).length > 0) expect(card).toMatch(limits)
    if (ratesOf(pin).length > 0) expect(pin).toMatch(limits)
  }
  // For whom a restaurant earns is said to visitors.
  if (tier === null && config.acclaimed2Enabled && level > 0)
    expect(page).toMatch(level === 2 ? /^.*VIP members earn/ : /get our emails earn/)
  if (flexRate > 0) {
    const part = page.match(personal)?.[0]?.match(anyRate)?.[0] ?? ''
    expect(card).toContain(part)
    const without = award({ ...each, flexRate: 0 }, earner, 400_00, earnsAt).benefit
    expect(without + promised(part, 400_00)).toBe(award(each, earner, 400_00, earnsAt).benefit)
  } else {
    expect(all).not.toContain('personal offer')
  }
}

test.each(loadSamplePrograms())(
  'CARDM-025 %s: no text about what a restaurant earns disagrees with another one, or with the engine',
  (_, config) => {
    let count = 0
    for (const each of cases(config)) {
      count++
      try {
        check(each)
      } catch (error) {
        throw new Error(nameOf(each), { cause: error })
      }
    }
    expect(count).toBeGreaterThan(100)
  },
)
