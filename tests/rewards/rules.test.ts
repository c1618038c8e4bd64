import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ReasonCode } from '../../src/rewards/earning/reasons.ts'
import { type Award, computeAward, ruleVersion } from '../../src/rewards/earning/rules.ts'
import type { AwardInput, Offer } from '../../src/rewards/earning/terms.ts'
import { awardInput, bistro, everyDay, fuelProgram, milesProgram, optedIn } from '../support/reward-fixtures.ts'

const at = (merchant: Partial<typeof bistro>): AwardInput => ({ ...awardInput, merchant: { ...bistro, ...merchant } })
const by = (member: Partial<typeof optedIn>): AwardInput => ({ ...awardInput, member: { ...optedIn, ...member } })
const offering = (...offers: Partial<Offer>[]): AwardInput =>
  at({ offers: offers.map((offer, index) => ({ ...everyDay, id: index + 1, ...offer })) })

interface Golden {
  input: AwardInput
  benefit: number
  status: Award['awardStatus']
  facts?: Record<string, unknown>
}

/** One worked example for every reason code: a missing one does not compile. */
const golden: Record<ReasonCode, Golden> = {
  earnedUpToMonth: {
    input: { ...offering({ type: 'Limited', maxMonthlySpendCents: 100_00 }), earlierCountedCents: 80_00 },
    benefit: 60,
    status: 'Awarded',
    facts: { countedCents: 20_00, limitCents: 100_00 },
  },
  earnedUpToMaximum: {
    input: { ...awardInput, program: { ...milesProgram, maxRewardPerMeal: 100 } },
    benefit: 100,
    status: 'Awarded',
    facts: { countedCents: 42_10 },
  },
  neverCharged: { input: { ...awardInput, stage: 'authorized', waiting: 'over' }, benefit: 0, status: 'Forfeit' },
  belowMinimum: {
    input: offering({ minSpendCents: 50_00 }, { minSpendCents: 45_00 }),
    benefit: 0,
    status: 'Forfeit',
    facts: { neededCents: 45_00 },
  },
  debitWithPin: {
    input: { ...awardInput, pinDebit: true, program: { ...milesProgram, excludesPinDebit: true } },
    benefit: 0,
    status: 'Forfeit',
  },
  locationNotEnrolled: {
    input: { ...awardInput, merchant: null, knownBrand: 'Corner Bistro' },
    benefit: 0,
    status: 'Deferred',
    facts: { brand: 'Corner Bistro' },
  },
  processingChanged: {
    input: at({ idUntil: '2026-03-10' }),
    benefit: 0,
    status: 'Forfeit',
    facts: { changedOn: '2026-03-10' },
  },
  hourWithoutReward: {
    input: offering({ hours: { from: '11:00', until: '14:00' } }),
    benefit: 0,
    status: 'Forfeit',
    facts: { from: '11:00', until: '14:00' },
  },
  monthlySpendUsedUp: {
    input: { ...offering({ type: 'Limited', maxMonthlySpendCents: 100_00 }), earlierCountedCents: 100_00 },
    benefit: 0,
    status: 'Forfeit',
    facts: { limitCents: 100_00 },
  },
  earned: { input: awardInput, benefit: 126, status: 'Awarded', facts: { countedCents: 42_10 } },
  earnedUpToLimit: {
    input: offering({ type: 'Limited', maxSpendCents: 20_00 }),
    benefit: 60,
    status: 'Awarded',
    facts: { countedCents: 20_00, limitCents: 20_00 },
  },
  partlyRefunded: {
    input: { ...awardInput, refundedCents: 12_10 },
    benefit: 90,
    status: 'Awarded',
    facts: { countedCents: 30_00 },
  },
  refunded: { input: { ...awardInput, refundedCents: 42_10 }, benefit: 0, status: 'Forfeit' },
  reviewExpired: {
    input: { ...awardInput, program: { ...milesProgram, reviewWithinDays: 35 }, review: 'expired' },
    benefit: 0,
    status: 'Forfeit',
  },
  countedElsewhere: { input: { ...awardInput, countedElsewhere: true }, benefit: 0, status: 'Forfeit' },
  reportedTwice: { input: { ...awardInput, reportedTwice: true }, benefit: 0, status: 'Forfeit' },
  reversed: { input: { ...awardInput, stage: 'authorized', cents: 0 }, benefit: 0, status: 'Forfeit' },
  belowStep: {
    input: { ...awardInput, program: fuelProgram, cents: 49_99 },
    benefit: 0,
    status: 'Forfeit',
    facts: { neededCents: 50_00 },
  },
  tierWithoutReward: {
    input: { ...by({ tier: 'OptedOut' }), program: { ...milesProgram, earnRates: { OptedOut: 0, OptedIn: 300 } } },
    benefit: 0,
    status: 'Forfeit',
    facts: { tier: 'OptedOut' },
  },
  currencyNotSupported: {
    input: { ...awardInput, currency: 'CAD' },
    benefit: 0,
    status: 'Forfeit',
    facts: { currency: 'CAD' },
  },
  closedAccount: { input: by({ open: false }), benefit: 0, status: 'Forfeit' },
  cardUnknown: { input: { ...awardInput, member: null }, benefit: 0, status: 'Deferred' },
  cardLinkedTooLate: {
    input: {
      ...by({ cardLinkedAt: '2026-03-10T00:00:00.000Z' }),
      program: { ...milesProgram, linkActivationHours: 24 },
    },
    benefit: 0,
    status: 'Forfeit',
    facts: { linkedAt: '2026-03-10T00:00:00.000Z', earnsFrom: '2026-03-11T00:00:00.000Z' },
  },
  merchantUnknown: { input: { ...awardInput, merchant: null }, benefit: 0, status: 'Deferred' },
  merchantNotYetJoined: {
    input: at({ joinedOn: '2026-03-11' }),
    benefit: 0,
    status: 'Forfeit',
    facts: { joinedOn: '2026-03-11' },
  },
  merchantLeft: {
    input: at({ leftOn: '2026-03-10' }),
    benefit: 0,
    status: 'Forfeit',
    facts: { leftOn: '2026-03-10' },
  },
  merchantNotParticipating: { input: at({ participating: false }), benefit: 0, status: 'Forfeit' },
  noOffer: { input: offering({ endsOn: '2026-03-09' }), benefit: 0, status: 'Forfeit', facts: { date: '2026-03-10' } },
  dayWithoutReward: { input: offering({ days: [5, 6] }), benefit: 0, status: 'Forfeit', facts: { weekday: 2 } },
  visitsUsedUp: {
    input: { ...offering({ type: 'Limited', maxVisitsPerMonth: 2 }), earlierVisits: 2 },
    benefit: 0,
    status: 'Forfeit',
    facts: { limit: 2 },
  },
  accessLocked: {
    input: { ...at({ acclaimedLevel: 2 }), program: { ...milesProgram, gatesAccess: true } },
    benefit: 0,
    status: 'Forfeit',
    facts: { neededTier: 3 },
  },
}

describe('an acclaimed restaurant', () => {
  const gated = (level: number, tier: typeof optedIn.tier) => {
    const program = {
      ...milesProgram,
      gatesAccess: true,
      earnRates: { OptedOut: 100, NonActivated: 100, OptedIn: 300, VIP: 500 },
    }
    return computeAward({ ...at({ acclaimedLevel: level }), program, member: { ...optedIn, tier } }).reason
  }
  test('MERCH-014 gives awards to tiers that unlock it: level 1 from opted in, level 2 from VIP', () => {
    expect(gated(1, 'NonActivated')).toMatchObject({ code: 'accessLocked', neededTier: 2 })
    expect(gated(1, 'OptedIn')).toMatchObject({ code: 'earned' })
    expect(gated(2, 'OptedIn')).toMatchObject({ code: 'accessLocked', neededTier: 3 })
    expect(gated(2, 'VIP')).toMatchObject({ code: 'earned' })
    expect(gated(0, 'OptedOut')).toMatchObject({ code: 'earned' })
  })

  test('gives awards to every tier where the program does not gate access', () => {
    expect(computeAward(at({ acclaimedLevel: 2 })).reason).toMatchObject({ code: 'earned' })
  })
})

test('a personal offer adds to the rate of the tier', () => {
  expect(computeAward({ ...awardInput, flexRate: 200 }).benefit).toBe(210)
})

describe('a worked example for every reason', () => {
  test.each(Object.entries(golden))('a transaction with reason %s', (code, { input, benefit, status, facts }) => {
    const award = computeAward(input)
    expect(award.reason).toMatchObject({ code, rule: ruleVersion, inputs: input, ...facts })
    expect(award).toMatchObject({ benefit, awardStatus: status })
  })
})

describe('deferred awards', () => {
  const deferred: AwardInput = { ...awardInput, program: { ...milesProgram, deferDays: 14 } }
  test('HIST-025 CONST-010 an award that the program defers is Deferred, and Awarded when its time has come', () => {
    expect(computeAward(deferred)).toMatchObject({ awardStatus: 'Deferred', benefit: 126 })
    expect(computeAward({ ...deferred, waiting: 'over' })).toMatchObject({ awardStatus: 'Awarded', benefit: 126 })
    expect(computeAward({ ...deferred, refundedCents: 42_10 })).toMatchObject({ awardStatus: 'Forfeit', benefit: 0 })
  })

  test('an unknown member or merchant defers the award, until matching ends', () => {
    const status = (over: Partial<AwardInput>) => computeAward({ ...awardInput, ...over }).awardStatus
    expect([status({ member: null }), status({ merchant: null })]).toEqual(['Deferred', 'Deferred'])
    const over = { waiting: 'over' as const }
    expect([status({ member: null, ...over }), status({ merchant: null, ...over })]).toEqual(['Forfeit', 'Forfeit'])
  })

  test('a charge that never cleared is reported as such, even where it would not have earned', () => {
    const authorized: Partial<AwardInput> = { stage: 'authorized', waiting: 'over' }
    expect(computeAward({ ...awardInput, ...authorized, program: fuelProgram }).reason.code).toBe('neverCharged')
    expect(computeAward({ ...offering({ days: [0] }), ...authorized }).reason.code).toBe('dayWithoutReward')
  })
})

describe('terms', () => {
  test('tip and tax are excluded where the program says so, and a refund reduces all parts proportionally', () => {
    const program = { ...milesProgram, leavesOut: ['tip', 'tax'] as const }
    const bill: AwardInput = { ...awardInput, cents: 60_00, tipCents: 10_00, taxCents: 5_00 }
    expect(computeAward(bill).benefit).toBe(180)
    expect(computeAward({ ...bill, program }).benefit).toBe(135)
    expect(computeAward({ ...bill, program: { ...program, leavesOut: ['tip'] } }).benefit).toBe(150)
    expect(computeAward({ ...bill, program, refundedCents: 30_00 }).benefit).toBe(67)
  })

  test('hours are local time and may cross midnight', () => {
    const earns = (from: string, until: string, dinedAt = awardInput.dinedAt) =>
      computeAward({ ...offering({ hours: { from, until } }), dinedAt }).benefit > 0
    expect([earns('19:00', '19:30'), earns('19:31', '23:00'), earns('17:00', '19:29')]).toEqual([true, false, false])
    const late = '2026-03-11T04:30:00.000Z'
    expect([earns('22:00', '01:00', late), earns('22:00', '00:29', late)]).toEqual([true, false])
  })

  test('an offer whose monthly amount is used up yields to another one', () => {
    const two = offering({ type: 'Limited', maxMonthlySpendCents: 50_00, ratePercent: 300 }, {})
    expect(computeAward({ ...two, earlierCountedCents: 50_00 })).toMatchObject({
      benefit: 126,
      reason: { code: 'earned' },
    })
  })

  test('the fuel program gives 10 cents for every whole 50 dollars', () => {
    const fuel = (cents: number) => computeAward({ ...awardInput, program: fuelProgram, cents }).benefit
    expect([fuel(50_00), fuel(99_99), fuel(100_00), fuel(151_00)]).toEqual([10, 10, 20, 30])
  })

  test('every tier earns at its own rate, including opted out members', () => {
    const tiers = ['OptedOut', 'NonActivated', 'OptedIn', 'VIP'] as const
    expect(tiers.map((tier) => computeAward(by({ tier })).benefit)).toEqual([42, 42, 126, 210])
  })

  test('the unit follows the currency of the program', () => {
    const unit = (currencyType: AwardInput['program']['currencyType']) =>
      computeAward({ ...awardInput, program: { ...milesProgram, currencyType } }).unit
    expect([unit('Mile'), unit('Point'), unit('Dollar'), unit('Credit')]).toEqual(['mile', 'point', 'cent', 'cent'])
  })

  test('the day is local to the restaurant, not to the server', () => {
    // 12:30 a.m. on Wednesday in London is still Tuesday in New York.
    const late = { ...offering({ days: [2] }), dinedAt: '2026-03-11T00:30:00.000Z' }
    expect(computeAward(late).reason.code).toBe('earned')
    const london = { ...late, merchant: { ...bistro, timeZone: 'Europe/London', offers: [{ ...everyDay, days: [2] }] } }
    expect(computeAward(london).reason.code).toBe('dayWithoutReward')
  })

  test('the best offer applies, and offers never add up', () => {
    expect(computeAward(offering({ ratePercent: 100 }, { ratePercent: 200 }, { ratePercent: 150 })).benefit).toBe(252)
  })

  test('an offer whose visits are used up yields to another one', () => {
    const two = offering({ type: 'Limited', maxVisitsPerMonth: 1, ratePercent: 300 }, {})
    expect(computeAward({ ...two, earlierVisits: 1 })).toMatchObject({ benefit: 126, reason: { code: 'earned' } })
  })

  test('a restaurant that leaves tomorrow still gives awards today', () => {
    expect(computeAward(at({ leftOn: '2026-03-11', participating: false })).benefit).toBe(126)
  })

  test('a card earns from the exact moment its activation ends', () => {
    const linked = (cardLinkedAt: string) =>
      computeAward({ ...by({ cardLinkedAt }), program: { ...milesProgram, linkActivationHours: 24 } }).benefit
    expect([linked('2026-03-09T23:30:00.000Z'), linked('2026-03-09T23:30:00.001Z')]).toEqual([126, 0])
  })

  test('an authorization is pending while a tip can still make it earn, and forfeit where nothing can', () => {
    const status = (over: Partial<AwardInput>) =>
      computeAward({ ...awardInput, stage: 'authorized', ...over }).awardStatus
    expect(status({})).toBe('Pending')
    expect(status({ program: fuelProgram })).toBe('Pending')
    expect(status({ merchant: { ...bistro, participating: false } })).toBe('Forfeit')
  })

  test('the amount needed for the first unit is exact to the cent', () => {
    const rate = { ...milesProgram, earnRates: { OptedIn: 70 } }
    const { reason } = computeAward({ ...awardInput, program: rate, cents: 1 })
    const needed = reason.code === 'belowStep' ? reason.neededCents : 0
    const earns = (cents: number) => computeAward({ ...awardInput, program: rate, cents }).benefit
    expect([earns(needed), earns(needed - 1)]).toEqual([1, 0])
  })
})

const anyOffer: fc.Arbitrary<Offer> = fc
  .record({
    id: fc.integer({ min: 1, max: 99 }),
    days: fc.uniqueArray(fc.integer({ min: 0, max: 6 })),
    maxSpendCents: fc.option(fc.integer({ min: 1, max: 500_00 })),
    maxVisitsPerMonth: fc.option(fc.integer({ min: 1, max: 5 })),
    maxMonthlySpendCents: fc.option(fc.integer({ min: 1, max: 900_00 }), { nil: undefined }),
    minSpendCents: fc.option(fc.integer({ min: 1, max: 60_00 }), { nil: undefined }),
    ratePercent: fc.integer({ min: 0, max: 1000 }),
  })
  .map(({ maxMonthlySpendCents, minSpendCents, ...offer }) => ({
    ...everyDay,
    type: 'Limited' as const,
    ...offer,
    ...(maxMonthlySpendCents !== undefined && { maxMonthlySpendCents }),
    ...(minSpendCents !== undefined && { minSpendCents }),
  }))

const anyAwardInput: fc.Arbitrary<AwardInput> = fc
  .record({
    stage: fc.constantFrom('authorized' as const, 'cleared' as const),
    cents: fc.oneof(fc.integer({ min: 0, max: 500_00 }), fc.integer({ min: 0, max: 1e12 })),
    refundedCents: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 600_00 })),
    earlierVisits: fc.integer({ min: 0, max: 6 }),
    earlierCountedCents: fc.integer({ min: 0, max: 1000_00 }),
    offers: fc.array(anyOffer, { maxLength: 4 }),
    rate: fc.integer({ min: 0, max: 10_000 }),
    step: fc.constantFrom(1, 100, 50_00),
  })
  .map(({ offers, rate, step, ...over }) => ({
    ...awardInput,
    ...over,
    program: { ...milesProgram, earnRates: { OptedIn: rate }, earnStepCents: step },
    merchant: { ...bistro, offers },
  }))

const runs = { numRuns: 2000 }

describe('every award', () => {
  test('an award is never negative, always whole, and has a matching status', () => {
    fc.assert(
      fc.property(anyAwardInput, (any) => {
        const { benefit, awardStatus } = computeAward(any)
        expect(Number.isSafeInteger(benefit) && benefit >= 0).toBe(true)
        if (awardStatus === 'Awarded') expect(benefit).toBeGreaterThan(0)
        if (awardStatus === 'Forfeit' || awardStatus === 'Deferred') expect(benefit).toBe(0)
      }),
      runs,
    )
  })

  test('a full refund reverses exactly what was earned', () => {
    fc.assert(
      fc.property(anyAwardInput, (any) => {
        const full = { ...any, refundedCents: any.cents }
        expect(computeAward(full).benefit).toBe(0)
      }),
      runs,
    )
  })

  test('a partly refunded transaction earns what a transaction of the rest earns', () => {
    fc.assert(
      fc.property(anyAwardInput, (any) => {
        const rest = { ...any, cents: Math.max(0, any.cents - any.refundedCents), refundedCents: 0 }
        expect(computeAward(any).benefit).toBe(computeAward(rest).benefit)
      }),
      runs,
    )
  })

  test('a larger bill never earns less', () => {
    fc.assert(
      fc.property(anyAwardInput, fc.integer({ min: 0, max: 500_00 }), (any, more) => {
        expect(computeAward({ ...any, cents: any.cents + more }).benefit).toBeGreaterThanOrEqual(
          computeAward(any).benefit,
        )
      }),
      runs,
    )
  })

  test('no award exceeds the best rate on the amount that an offer counts', () => {
    fc.assert(
      fc.property(anyAwardInput, (any) => {
        const maxBenefit = Math.max(
          0,
          ...(any.merchant?.offers ?? []).map((offer) => {
            const counted = Math.min(any.cents, offer.maxSpendCents ?? any.cents)
            return (counted * (any.program.earnRates.OptedIn ?? 0) * offer.ratePercent) / 1_000_000
          }),
        )
        expect(computeAward(any).benefit).toBeLessThanOrEqual(maxBenefit)
      }),
      runs,
    )
  })

  test('the same input always gives the same award and is not modified', () => {
    fc.assert(
      fc.property(anyAwardInput, (any) => {
        const before = structuredClone(any)
        expect(computeAward(any)).toEqual(computeAward(any))
        expect(any).toEqual(before)
      }),
      runs,
    )
  })
})
