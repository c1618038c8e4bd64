import { describe, expect, test } from 'vitest'
import type { TierLevel } from '../../src/programs/partners/contract.ts'
import { ProgramConfig } from '../../src/programs/partners/schemas.ts'
import { programTerms } from '../../src/rewards/awards/current-terms.ts'
import { hasReachedVip } from '../../src/rewards/awards/dining-progress.ts'
import { findCompletingIndex } from '../../src/rewards/bonuses/rules.ts'
import { computeAward } from '../../src/rewards/earning/rules.ts'
import type { AwardInput, Offer } from '../../src/rewards/earning/terms.ts'
import { publishedPrograms } from '../support/published-programs.ts'
import { awardInput, bistro, optedIn } from '../support/reward-fixtures.ts'

type Name = keyof typeof publishedPrograms

const config = (name: Name) => ProgramConfig.parse(publishedPrograms[name])

/** Returns what a transaction earns in one of the programs. */
function earn(name: Name, cents: number, tier: TierLevel = 'OptedIn', over: Partial<AwardInput> = {}) {
  const program = programTerms(config(name), '2026-03-10')
  const decision = computeAward({ ...awardInput, cents, program, member: { ...optedIn, tier }, ...over })
  return [decision.benefit, decision.reason.code, decision.awardStatus]
}

const limited = (over: Partial<Offer>) => ({
  merchant: { ...bistro, offers: [{ ...(bistro.offers[0] as Offer), type: 'Limited' as const, ...over }] },
})

const transaction = (day: number, merchantId: number, cents: number) => ({
  dinedAt: new Date(Date.UTC(2026, 2, day, 23)),
  timeZone: 'America/New_York',
  merchantId,
  cents,
})
// Thirty days from March 1.
const period = { from: new Date('2026-03-01T00:00:00Z'), lastDay: '2026-03-31' }

describe('published programs as configuration', () => {
  test('an airline with 1, 3 and 5 miles per dollar', () => {
    expect(earn('airlineTiers', 64_80, 'OptedOut')).toEqual([64, 'earned', 'Awarded'])
    expect(earn('airlineTiers', 64_80, 'OptedIn')).toEqual([194, 'earned', 'Awarded'])
    expect(earn('airlineTiers', 64_80, 'VIP')).toEqual([324, 'earned', 'Awarded'])
    const year = { spentCents: 0, benefit: 0, isVip: false }
    const reached = (dines: number) => hasReachedVip(config('airlineTiers'), { ...year, dines })
    expect([reached(10), reached(11)]).toEqual([false, true])
    const [bonus] = config('airlineTiers').bonuses
    if (!bonus) throw new Error('no bonus')
    // Too little, then enough; then a transaction that is one day too late.
    expect(findCompletingIndex(bonus, period, [transaction(3, 1, 24_99), transaction(5, 1, 25_00)])).toBe(1)
    expect(findCompletingIndex(bonus, period, [transaction(33, 1, 80_00)])).toBeNull()
  })

  test('an airline with half a mile per dollar awards whole miles', () => {
    expect(earn('airlineHalfMile', 19_99, 'OptedOut')).toEqual([9, 'earned', 'Awarded'])
    expect(earn('airlineHalfMile', 1_99, 'OptedOut')).toEqual([0, 'belowStep', 'Forfeit'])
    expect(earn('airlineHalfMile', 2_00, 'OptedOut')).toEqual([1, 'earned', 'Awarded'])
  })

  test('a hotel group with 2, 5 and 8 points, and a bonus for three restaurants', () => {
    expect(earn('hotelPoints', 125_50, 'NonActivated')).toEqual([251, 'earned', 'Awarded'])
    expect(earn('hotelPoints', 125_50, 'VIP')).toEqual([1004, 'earned', 'Awarded'])
    const [bonus] = config('hotelPoints').bonuses
    if (!bonus) throw new Error('no bonus')
    const transactions = [
      transaction(2, 1, 30_00),
      transaction(4, 1, 30_00),
      transaction(6, 2, 19_00),
      transaction(8, 2, 20_00),
      transaction(9, 3, 45_00),
    ]
    expect(findCompletingIndex(bonus, period, transactions)).toBe(4)
  })

  test('a fuel brand with 10 cents for every whole 50 dollars', () => {
    expect(earn('fuelPerFifty', 49_99)).toEqual([0, 'belowStep', 'Forfeit'])
    expect(earn('fuelPerFifty', 50_00)).toEqual([10, 'earned', 'Deferred'])
    expect(earn('fuelPerFifty', 149_99, 'OptedIn', { waiting: 'over' })).toEqual([20, 'earned', 'Awarded'])
    expect(earn('fuelPerFifty', 150_00, 'OptedIn', { pinDebit: true })).toEqual([0, 'debitWithPin', 'Forfeit'])
  })

  test('cash back of 5, 10 and 15 percent', () => {
    expect(earn('cashBackTiers', 83_33, 'OptedOut')).toEqual([4_16, 'earned', 'Awarded'])
    expect(earn('cashBackTiers', 83_33, 'OptedIn')).toEqual([8_33, 'earned', 'Awarded'])
    expect(earn('cashBackTiers', 83_33, 'VIP')).toEqual([12_49, 'earned', 'Awarded'])
    const reached = (spentCents: number) =>
      hasReachedVip(config('cashBackTiers'), { dines: 0, benefit: 0, isVip: false, spentCents })
    expect([reached(749_99), reached(750_00)]).toEqual([false, true])
    // A restaurant that rewards 250 dollars a visit, five visits a month.
    const offer = limited({ maxSpendCents: 250_00, maxVisitsPerMonth: 5 })
    expect(earn('cashBackTiers', 400_00, 'OptedIn', offer)).toEqual([25_00, 'earnedUpToLimit', 'Awarded'])
    expect(earn('cashBackTiers', 40_00, 'OptedIn', { ...offer, earlierVisits: 5 })).toEqual([
      0,
      'visitsUsedUp',
      'Forfeit',
    ])
  })

  test('a bank’s offer of 10 percent on 30 dollars or more, at most 9 dollars', () => {
    expect(earn('bankOffer', 29_99)).toEqual([0, 'belowMinimum', 'Forfeit'])
    expect(earn('bankOffer', 30_00)).toEqual([3_00, 'earned', 'Awarded'])
    expect(earn('bankOffer', 120_00)).toEqual([9_00, 'earnedUpToMaximum', 'Awarded'])
    // 36.00 with 5.00 tip and 2.00 tax: 29.00 count, which is too little.
    expect(earn('bankOffer', 36_00, 'OptedIn', { tipCents: 5_00, taxCents: 2_00 })[1]).toBe('belowMinimum')
    expect(earn('bankOffer', 50_00, 'OptedIn', { tipCents: 8_00, taxCents: 4_00 })).toEqual([3_80, 'earned', 'Awarded'])
    const linkedToday = { member: { ...optedIn, cardLinkedAt: '2026-03-10T12:00:00.000Z' } }
    expect(earn('bankOffer', 80_00, 'OptedIn', linkedToday)[1]).toBe('cardLinkedTooLate')
  })

  test('rates that changed during a year: each transaction earns at those of its day', () => {
    const changed = ProgramConfig.parse({
      ...publishedPrograms.airlineTiers,
      formerRates: [
        { until: '2025-12-31', earnRates: { OptedOut: 100, NonActivated: 100, OptedIn: 200, VIP: 500 } },
        { until: '2026-02-28', earnRates: { OptedOut: 100, NonActivated: 100, OptedIn: 250, VIP: 500 } },
      ],
    })
    const rate = (date: string) => programTerms(changed, date).earnRates.OptedIn
    expect(['2025-12-31', '2026-01-01', '2026-02-28', '2026-03-01'].map(rate)).toEqual([200, 250, 250, 300])
  })
})
