import { expect, test } from 'vitest'
import { loadPrograms } from './load-programs.ts'
import { describeRate, tierNumber } from './rates.ts'
import { publicConfig } from './rules.ts'

const programs = loadPrograms('programs')
const rateOf = (program: string, tier: Parameters<typeof tierNumber>[0]) =>
  describeRate(publicConfig((programs.get(program) as { config: Parameters<typeof publicConfig>[0] }).config), tier)

test('ROLE-010 ROLE-009 the tiers are levels 0 to 3, and VIP is one of its own with the best rate', () => {
  expect(['OptedOut', 'NonActivated', 'OptedIn', 'VIP'].map((tier) => tierNumber(tier as 'VIP'))).toEqual([0, 1, 2, 3])
  for (const [, { config }] of programs) {
    if (config.hasVIP) expect(config.earnRates.VIP).toBeGreaterThan(config.earnRates.OptedIn ?? 0)
  }
})

test('a rate is said as its diners say it: miles per dollar, per cent, cents per step', () => {
  expect(rateOf('skyharbor', 'OptedIn')).toBe('3 miles per dollar')
  expect(rateOf('skyharbor', 'OptedOut')).toBe('1 mile per dollar')
  expect(rateOf('beacon', 'VIP')).toBe('5% cash back')
  expect(rateOf('gallonaire', 'OptedIn')).toMatch(/¢ .* per \$50$/)
})
