import { expect, test } from 'vitest'
import type { Program } from './context.ts'
import type { TierLevel } from './contract.ts'
import { loadPrograms } from './load-programs.ts'
import { publicConfig } from './public-config.ts'
import { bestTier, describeRate, extraRateText, formatReward, rewardParts, smallestUnits, tierNumber } from './rates.ts'

const programs = loadPrograms('programs')
const configOf = (program: string) => publicConfig((programs.get(program) as Program).config)

test('ROLE-010 ROLE-009 the tiers have levels 0 to 3, and VIP has the best rate', () => {
  expect(['OptedOut', 'NonActivated', 'OptedIn', 'VIP'].map((tier) => tierNumber(tier as 'VIP'))).toEqual([0, 1, 2, 3])
  for (const [, { config }] of programs) {
    if (config.hasVIP) expect(config.earnRates.VIP).toBeGreaterThan(config.earnRates.OptedIn ?? 0)
  }
})

// The rate that the engine applies: the tier's rate times the percentage of the restaurant's offer.
test.each<[program: string, tier: TierLevel, percent: number, rate: string]>([
  ['skyharbor', 'OptedOut', 100, '1 mile per dollar'],
  ['skyharbor', 'OptedOut', 125, '1.25 miles per dollar'],
  ['skyharbor', 'OptedIn', 100, '3 miles per dollar'],
  ['skyharbor', 'OptedIn', 125, '3.75 miles per dollar'],
  ['skyharbor', 'OptedIn', 150, '4.5 miles per dollar'],
  ['skyharbor', 'VIP', 125, '6.25 miles per dollar'],
  ['skyharbor', 'OptedOut', 50, '0.5 miles per dollar'],
  ['skyharbor', 'OptedOut', 33, '0.33 miles per dollar'],
  ['skyharbor', 'VIP', 1000, '50 miles per dollar'],
  ['orchard', 'OptedOut', 100, '1 point per dollar'],
  ['orchard', 'OptedIn', 125, '3.75 points per dollar'],
  ['orchard', 'VIP', 125, '6.25 points per dollar'],
  ['beacon', 'OptedOut', 125, '1.25% cash back'],
  ['beacon', 'OptedIn', 100, '3% cash back'],
  ['beacon', 'OptedIn', 125, '3.75% cash back'],
  ['beacon', 'VIP', 125, '6.25% cash back'],
  ['lantern', 'OptedIn', 100, '3% in rewards'],
  ['lantern', 'OptedIn', 125, '3.75% in rewards'],
  ['gallonaire', 'OptedIn', 100, '10¢ per gallon for every $50'],
  ['gallonaire', 'OptedOut', 125, '12.5¢ per gallon for every $50'],
  ['gallonaire', 'OptedIn', 150, '15¢ per gallon for every $50'],
])('CARDM-011 PART-007 the rate of %s for %s at %i percent is exactly %s', (program, tier, percent, rate) => {
  expect(describeRate(configOf(program), tier, percent)).toBe(rate)
})

test.each<[program: string, amount: number, text: string]>([
  ['skyharbor', 0, '0 miles'],
  ['skyharbor', 1, '1 mile'],
  ['skyharbor', -1, '−1 mile'],
  ['skyharbor', 2, '2 miles'],
  ['skyharbor', 1204, '1,204 miles'],
  ['skyharbor', -1204, '−1,204 miles'],
  ['orchard', 1, '1 point'],
  ['orchard', 1250, '1,250 points'],
  ['beacon', 1, '$0.01'],
  ['beacon', 1250, '$12.50'],
  ['beacon', -1410, '−$14.10'],
  ['lantern', 123456, '$1,234.56'],
  ['gallonaire', 0, '0¢ per gallon'],
  ['gallonaire', 10, '10¢ per gallon'],
  ['gallonaire', -10, '−10¢ per gallon'],
  ['gallonaire', -150, '−$1.50 per gallon'],
  ['gallonaire', 99, '99¢ per gallon'],
  ['gallonaire', 100, '$1.00 per gallon'],
  ['gallonaire', 120, '$1.20 per gallon'],
])('PART-007 an amount of %s in its smallest unit, %i, reads %s', (program, amount, text) => {
  expect(formatReward(configOf(program), amount)).toBe(text)
})

test.each<[program: string, amount: number, number: string, unit: string]>([
  ['skyharbor', 1, '1', 'mile'],
  ['skyharbor', 1234, '1,234', 'miles'],
  ['orchard', 0, '0', 'points'],
  ['beacon', 12.3, '$12.30', 'cash back'],
  ['beacon', 0.07, '$0.07', 'cash back'],
  ['gallonaire', 0.1, '10¢ per gallon', 'fuel savings'],
  ['gallonaire', 1.2, '$1.20 per gallon', 'fuel savings'],
])(
  'ACCT-009 ACCT-011 an amount of the API of %s, %d, is a number and its name: %s, %s',
  (program, amount, number, unit) => {
    const config = configOf(program)
    expect(rewardParts(config, smallestUnits(config, amount))).toEqual({ number, unit })
  },
)

test('CARDM-013 the additional rate of a personal offer is exact', () => {
  expect(extraRateText(configOf('orchard'), 500)).toBe('+5')
  expect(extraRateText(configOf('orchard'), 125)).toBe('+1.25')
  expect(extraRateText(configOf('beacon'), 225)).toBe('+2.25%')
  expect(describeRate(configOf('orchard'), 'OptedIn', 125, 200)).toBe('6.25 points per dollar')
})

test('a currency can define its singular name', () => {
  const avios = { currencyType: 'Mile', currencyName: 'Avios', currencyNameSingular: 'Avios' } as const
  expect(formatReward(avios, 1)).toBe('1 Avios')
})

test('CARDM-016 a rate by whole steps is said in any currency, and unknown visitors are told the best tier', () => {
  const money = { ...configOf('gallonaire'), earnStepCents: 50_00 }
  const { rewardPer: _, ...plain } = money
  expect(describeRate({ ...plain, currencyName: 'cash back' }, 'OptedIn')).toBe('10¢ cash back per $50')
  expect(describeRate({ ...money, earnStepCents: 50_50 }, 'OptedIn')).toBe('10.1¢ per gallon for every $50.50')
  expect(describeRate({ ...money, earnStepCents: 1000_00 }, 'OptedIn')).toBe('200¢ per gallon for every $1,000')
  expect(describeRate({ ...configOf('skyharbor'), earnStepCents: 10_00 }, 'OptedIn')).toBe('30 miles per $10')
  const { hasVIP } = configOf('skyharbor')
  expect([bestTier({ ...configOf('skyharbor'), hasVIP }), bestTier(configOf('gallonaire'))]).toEqual(['VIP', 'OptedIn'])
})

test('one unit of a currency has its singular, also where no word of its own is given', () => {
  const { currencyNameSingular: _, ...config } = { ...configOf('skyharbor'), currencyName: 'stars' }
  expect([formatReward(config, 1), formatReward(config, -1), formatReward(config, 2)]).toEqual([
    '1 star',
    '−1 star',
    '2 stars',
  ])
})
