import { expect, test } from 'vitest'
import { loadPrograms } from './load-programs.ts'
import { publicConfig } from './public-config.ts'
import { describeRate, formatReward } from './rates.ts'
import { copyTokens, isMemberPage, isSample, plainPartnerNumber, visibleFilters, withOverrides } from './rules.ts'
import { ProgramConfig } from './schemas.ts'

const programs = loadPrograms('programs')
const config = (code: string) => (programs.get(code) as { config: ProgramConfig }).config

const least = {
  code: 'least',
  name: 'Least',
  programName: 'Least Dining',
  currencyName: 'miles',
  earnRates: { OptedOut: 100, NonActivated: 100, OptedIn: 100, VIP: 100 },
  customerSupport: {
    phone: { href: 'tel:+15550100', formatted: '555-0100' },
    email: { href: 'a@b.example', display: 'a@b.example' },
  },
}

test('PART-001 PART-002 PART-003 PART-004 PART-005 PART-006 PART-007 PART-008 PART-009 PART-010 PART-011 PART-012 PART-013 PART-016 PART-017 PART-019 PART-020 PART-021 PART-022 PART-029 PART-039 PART-040 a program without settings has the defaults', () => {
  expect(ProgramConfig.parse(least)).toMatchObject({
    acclaimedEnabled: false,
    acclaimed2Enabled: false,
    cardTypesAccepted: ['AMEX', 'DISC', 'MAST', 'VISA'],
    cmsPreview: false,
    cmsRoute: '/api/cms',
    currencyType: 'Mile',
    enrollmentType: 'direct',
    fullAddressRequired: false,
    hasAutoEnroll: false,
    hasFlexOffers: false,
    hasPartnerLoadedCards: false,
    hasPPN: true,
    hasSmsOptIn: false,
    hasSmsOptInV2: false,
    hasVIP: false,
    openTableReservationsEnabled: false,
    homePage: 'HowItWorks',
    hasDiscoverPage: false,
    hasReservationBonus: false,
    hasPWAInstallBanner: false,
    showEarnRate: true,
    showNetworkLogo: true,
    hideEmailOptIn: false,
    maximumCards: 12,
  })
})

test('PART-028 a missing short code is visible in messages', () => {
  const { shortCode: _without, ...orchard } = config('orchard')
  expect(copyTokens(publicConfig(orchard)).shortCode).toBe('MISSING SHORT CODE')
  for (const code of ['skyharbor', 'gallonaire', 'orchard']) expect(config(code).shortCode).toMatch(/^\d{5}$/)
  expect(copyTokens(publicConfig(config('skyharbor'))).shortCode).toBe('41111')
})

test('PART-033 run-time flags override boolean settings and nothing else', () => {
  const base = config('skyharbor')
  expect(withOverrides(base, { hasVIP: false }).hasVIP).toBe(false)
  expect(withOverrides(base, { code: 'evil', hasVIP: 'no', nonsense: true, earnRates: false })).toBe(base)
  expect(visibleFilters(base, { acclaimed: false })).not.toContain('acclaimed')
})

test('PART-035 PART-036 PART-037 PART-038 CONST-008 CONST-009 the settings of the fuel program and the bank fit their rewards', () => {
  const fuel = config('gallonaire')
  expect(describeRate(fuel, 'OptedIn')).toBe('10¢ per gallon for every $50')
  expect(formatReward(fuel, fuel.reservationBonus?.amount ?? 0)).toBe('50¢ per gallon')
  expect(config('beacon').statementCreditFromCents).toBe(2000)
})

test('rates and rewards are formatted in the currency of the program', () => {
  expect(describeRate(config('skyharbor'), 'OptedIn')).toBe('3 miles per dollar')
  expect(describeRate(config('skyharbor'), 'OptedIn', 150)).toBe('4.5 miles per dollar')
  expect(describeRate(config('beacon'), 'OptedIn')).toMatch(/^\d+(\.\d)?% cash back$/)
  expect(formatReward(config('beacon'), 1250)).toBe('$12.50')
  expect(formatReward(config('orchard'), 1250)).toBe('1,250 points')
})

test('PART-041 the bank accepts two card brands, the others four', () => {
  expect(config('beacon').cardTypesAccepted).toEqual(['VISA', 'MAST'])
  expect(config('orchard').cardTypesAccepted).toEqual(['AMEX', 'DISC', 'MAST', 'VISA'])
})

test('the configuration sent to browsers contains no secrets', () => {
  expect(JSON.stringify(publicConfig(config('beacon')))).not.toContain('secret')
  const given = {
    ...config('beacon'),
    sample: true,
    sso: { issuer: 'sample' as const, clientSecret: 'x' },
    settlement: { restaurantFee: 1250, centsPer100Units: 0, partnerShare: 4000 },
    fidel: { programId: 'p', secretKeys: ['12345678'] },
  }
  // One that is added later, and that nobody has decided to show.
  const shown = publicConfig({ ...given, apiSecret: 'x' } as typeof given)
  expect(Object.hasOwn(shown, 'apiSecret')).toBe(false)
  expect(Object.keys(given).filter((name) => !Object.hasOwn(shown, name))).toEqual([
    'sample',
    'settlement',
    'sso',
    'fidel',
  ])
})

test('filters that are not switched off at run time stay', () => {
  const all = config('skyharbor').filters
  expect(all.length).toBeGreaterThan(1)
  expect(visibleFilters(config('skyharbor'), {})).toEqual(all)
  expect(visibleFilters(config('skyharbor'), { [all[0] as string]: false, [all[1] as string]: true })).toEqual(
    all.slice(1),
  )
})

test('a program is a sample under its own code only', () => {
  const sample = (code: string, of: ProgramConfig['sample']) => isSample({ code, sample: of })
  expect([sample('a', true), sample('a', 'a' as never), sample('b', 'a' as never), sample('a', undefined)]).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('a partner number loses spaces and hyphens only when that makes it valid', () => {
  const plain = (typed: string, partnerNumberPattern: string) => plainPartnerNumber(typed, { partnerNumberPattern })
  expect([plain(' 12 34 ', '^\\d{4}$'), plain('12-34', '^\\d{4}$')]).toEqual(['1234', '1234'])
  expect([plain('12 34', '^\\d\\d \\d\\d$'), plain(' 12-3 ', '^\\d{4}$')]).toEqual(['12 34', '12-3'])
  // Both are valid: what was typed stays.
  expect(plain('12-34', '^[\\d-]+$')).toBe('12-34')
})

test('the currency starts a sentence with a capital letter', () => {
  expect(copyTokens({ ...publicConfig(config('skyharbor')), currencyName: 'star miles' })).toMatchObject({
    currencyName: 'star miles',
    CurrencyName: 'Star miles',
  })
})

test('a page of a member is one of their paths or below it', () => {
  expect(['/account', '/account/overview', '/activate', '/surveys/success'].filter(isMemberPage)).toHaveLength(4)
  expect(['/', '/accounts', '/activated', '/earn/account', '/surveys-2026'].filter(isMemberPage)).toEqual([])
})
