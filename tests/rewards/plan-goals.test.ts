import fc from 'fast-check'
import { expect, test } from 'vitest'
import { benefitOf, billFor } from '../../src/rewards/activity/plan-goals.ts'
import { programConfig } from '../support/rewards-harness.ts'

const programs = ['skyharbor', 'gallonaire', 'beacon'] as const
const tiers = ['OptedOut', 'OptedIn', 'VIP'] as const

test('the forecast matches the award engine: its bill earns the missing amount, a cent less does not', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...programs),
      fc.constantFrom(...tiers),
      fc.integer({ min: 1, max: 20_000 }),
      (program, tier, missing) => {
        const config = programConfig(program)
        const bill = billFor(config, tier, missing)
        expect(bill).not.toBeNull()
        expect(benefitOf(config, tier, bill as number)).toBeGreaterThanOrEqual(missing)
        expect(benefitOf(config, tier, (bill as number) - 1)).toBeLessThan(missing)
      },
    ),
  )
})

test('there is no forecast if no bill earns the missing amount', () => {
  const config = { ...programConfig('beacon'), earnRates: { OptedOut: 0, NonActivated: 0, OptedIn: 0, VIP: 0 } }
  expect(billFor(config, 'OptedIn', 1)).toBeNull()
  const capped = { ...programConfig('skyharbor'), maxRewardPerMeal: 300 }
  expect([billFor(capped, 'OptedIn', 300), billFor(capped, 'OptedIn', 301)]).toEqual([100_00, null])
})
