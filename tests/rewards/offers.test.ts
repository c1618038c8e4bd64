import { describe, expect, test } from 'vitest'
import { applicableOffers, hasMonthlyLimit, monthOf, offersOfDay } from '../../src/rewards/earning/offers.ts'
import { calculateReward, computeAward, countedCentsOf } from '../../src/rewards/earning/rules.ts'
import type { AwardInput, MerchantTerms, Offer } from '../../src/rewards/earning/terms.ts'
import { awardInput, bistro, everyDay, fuelProgram, milesProgram } from '../support/reward-fixtures.ts'

const at = (merchant: Partial<MerchantTerms>, over: Partial<AwardInput> = {}): AwardInput => ({
  ...awardInput,
  ...over,
  merchant: { ...bistro, ...merchant },
})
const offers = (...all: Partial<Offer>[]): Offer[] =>
  all.map((offer, index) => ({ ...everyDay, id: index + 1, ...offer }))
const codeOf = (input: AwardInput) => computeAward(input).reason.code
/** New York is four hours behind UTC from March 8. */
const dined = (local: string) => ({ dinedAt: new Date(`${local}:00.000-04:00`).toISOString() })

describe('the last and first minute', () => {
  test('of an offer: its first and last day are included, in local time', () => {
    const input = (local: string) =>
      at({ offers: offers({ startsOn: '2026-03-10', endsOn: '2026-03-12' }) }, dined(local))
    expect(codeOf(input('2026-03-09T23:59'))).toBe('noOffer')
    expect(codeOf(input('2026-03-10T00:00'))).toBe('earned')
    expect(codeOf(input('2026-03-12T23:59'))).toBe('earned')
    expect(codeOf(input('2026-03-13T00:00'))).toBe('noOffer')
  })

  test('of several offers: there is none only when each has ended or not begun', () => {
    const past = { startsOn: '2026-01-01', endsOn: '2026-02-28' }
    const future = { startsOn: '2026-04-01' }
    expect(codeOf(at({ offers: offers(past, future) }))).toBe('noOffer')
    expect(codeOf(at({ offers: offers(past, future, { startsOn: '2026-03-10', endsOn: '2026-03-10' }) }))).toBe(
      'earned',
    )
    // One for another weekday runs: the day is the reason.
    expect(codeOf(at({ offers: offers(past, { days: [0] }) }))).toBe('dayWithoutReward')
    // One that rewards nothing on any day is none.
    expect(codeOf(at({ offers: offers({ ratePercent: 0 }) }))).toBe('noOffer')
  })

  test('of hours: both ends are included, also when they cross midnight or name one minute', () => {
    const within = (from: string, until: string, local: string) =>
      codeOf(at({ offers: offers({ hours: { from, until } }) }, dined(`2026-03-10T${local}`))) === 'earned'
    const times = (from: string, until: string, ...locals: string[]) =>
      locals.map((local) => within(from, until, local))
    expect(times('11:00', '14:00', '10:59', '11:00', '14:00', '14:01')).toEqual([false, true, true, false])
    expect(times('22:00', '02:00', '21:59', '22:00', '23:59', '00:00', '02:00', '02:01')).toEqual([
      false,
      true,
      true,
      true,
      true,
      false,
    ])
    expect(times('12:00', '12:00', '11:59', '12:00', '12:01')).toEqual([false, true, false])
  })

  test('of a night: the hours after midnight count to the day on which it began, also on the first and last day', () => {
    const night = { hours: { from: '22:00', until: '02:00' }, isNight: true as const }
    const codes = (offer: Partial<Offer>, ...locals: string[]) =>
      locals.map((local) => codeOf(at({ offers: offers({ ...night, ...offer }) }, dined(local))))
    // March 13, 2026 is a Friday.
    expect(
      codes(
        { days: [5] },
        '2026-03-13T00:30',
        '2026-03-13T22:00',
        '2026-03-14T00:30',
        '2026-03-14T02:00',
        '2026-03-14T02:01',
      ),
    ).toEqual(['dayWithoutReward', 'earned', 'earned', 'earned', 'dayWithoutReward'])
    expect(
      codes(
        { startsOn: '2026-03-10', endsOn: '2026-03-10' },
        '2026-03-10T02:00',
        '2026-03-10T02:01',
        '2026-03-10T23:00',
        '2026-03-11T02:00',
        '2026-03-11T02:01',
      ),
    ).toEqual(['noOffer', 'hourWithoutReward', 'earned', 'earned', 'noOffer'])
    // Terms that were stored before rule 5 keep their meaning.
    const { isNight: _, ...before } = night
    expect(codeOf(at({ offers: offers({ ...before, days: [5] }) }, dined('2026-03-13T00:30')))).toBe('earned')
  })

  test('of a restaurant: it earns from its first day to the day before it left or changed its id', () => {
    const days = ['2026-03-09T23:59', '2026-03-10T00:00', '2026-03-11T00:00']
    const codes = (merchant: Partial<MerchantTerms>) => days.map((local) => codeOf(at(merchant, dined(local))))
    expect(codes({ joinedOn: '2026-03-10' })).toEqual(['merchantNotYetJoined', 'earned', 'earned'])
    expect(codes({ leftOn: '2026-03-10' })).toEqual(['earned', 'merchantLeft', 'merchantLeft'])
    expect(codes({ idUntil: '2026-03-10' })).toEqual(['earned', 'processingChanged', 'processingChanged'])
    expect(codes({ participating: false })).toEqual(Array(3).fill('merchantNotParticipating'))
  })

  test('of a month: it is the one of the restaurant', () => {
    const instant = new Date('2026-04-01T03:59:00Z')
    expect([monthOf(instant, 'America/New_York'), monthOf(instant, 'UTC')]).toEqual(['2026-03', '2026-04'])
  })
})

describe('of several offers', () => {
  test('those of a day are listed with the highest rate first, and of equal rates the newest', () => {
    const listed = offersOfDay(
      offers(
        { ratePercent: 100 },
        { ratePercent: 300 },
        { ratePercent: 200 },
        { ratePercent: 300 },
        { ratePercent: 0 },
        { ratePercent: 500, days: [3] },
        { ratePercent: 500, startsOn: '2026-03-11' },
        { ratePercent: 500, endsOn: '2026-03-09' },
        { ratePercent: 50, startsOn: '2026-03-10', endsOn: '2026-03-10' },
      ),
      { date: '2026-03-10', weekday: 2, minutes: 720 },
    )
    expect(listed.map(({ id }) => id)).toEqual([4, 2, 3, 1, 9])
  })

  test('the one with the highest reward applies wherever it stands, and of equal ones the newest', () => {
    const countedBy = (...all: Partial<Offer>[]) => {
      const input = at({ offers: offers(...all) })
      return [computeAward(input).benefit, calculateReward(input)?.ratePercent]
    }
    expect(countedBy({ ratePercent: 100 }, { ratePercent: 300 }, { ratePercent: 200 })).toEqual([378, 300])
    expect(countedBy({ ratePercent: 300 }, { ratePercent: 100 })).toEqual([378, 300])
    // A higher rate on a smaller part of the bill is worth less.
    expect(countedBy({ ratePercent: 300, maxSpendCents: 10_00 }, { ratePercent: 100 })).toEqual([126, 100])
    // Equal rewards: 300 % of a third is as much as 100 % of all.
    const equal = [
      { ratePercent: 100, maxSpendCents: 30_00 },
      { ratePercent: 300, maxSpendCents: 10_00 },
    ] as const
    expect(countedBy(...equal)).toEqual([90, 300])
    expect(countedBy(equal[1], equal[0])).toEqual([90, 100])
  })

  test('the highest limit and the lowest minimum are reported', () => {
    const reasonOf = (input: AwardInput) => computeAward(input).reason
    const visits = at({ offers: offers({ maxVisitsPerMonth: 1 }, { maxVisitsPerMonth: 3 }) }, { earlierVisits: 3 })
    expect(reasonOf(visits)).toMatchObject({ code: 'visitsUsedUp', limit: 3 })
    expect(codeOf({ ...visits, earlierVisits: 2 })).toBe('earned')
    const spend = at(
      { offers: offers({ maxMonthlySpendCents: 100_00 }, { maxMonthlySpendCents: 50_00 }) },
      { earlierCountedCents: 100_00 },
    )
    expect(reasonOf(spend)).toMatchObject({ code: 'monthlySpendUsedUp', limitCents: 100_00 })
    expect(codeOf({ ...spend, earlierCountedCents: 99_99 })).not.toBe('monthlySpendUsedUp')
  })

  test('a bill of exactly the minimum earns, whichever of program and offer sets it', () => {
    const input = (cents: number) => at({ offers: offers({ minSpendCents: 30_00 }) }, { cents })
    expect([codeOf(input(29_99)), codeOf(input(30_00))]).toEqual(['belowMinimum', 'earned'])
    const program = { ...milesProgram, minimumCents: 40_00 }
    expect([codeOf({ ...input(39_99), program }), codeOf({ ...input(40_00), program })]).toEqual([
      'belowMinimum',
      'earned',
    ])
  })

  test('only a limit per month makes an offer depend on other transactions', () => {
    expect([hasMonthlyLimit(null), hasMonthlyLimit({ offers: [] })]).toEqual([false, false])
    const monthly = (over: Partial<Offer>) => hasMonthlyLimit({ offers: [everyDay, { ...everyDay, ...over }] })
    expect([monthly({}), monthly({ maxSpendCents: 20_00 })]).toEqual([false, false])
    expect([monthly({ maxVisitsPerMonth: 1 }), monthly({ maxMonthlySpendCents: 100_00 })]).toEqual([true, true])
  })

  test('none is given for a wrong weekday, with the weekday as the reason', () => {
    const local = { date: '2026-03-10', weekday: 2, minutes: 600 }
    expect(applicableOffers(awardInput, offers({ days: [1, 3] }), local, 10_00)).toEqual({
      code: 'dayWithoutReward',
      weekday: 2,
    })
  })
})

describe('the calculation of a reward', () => {
  test('has the parts of the bill: refunded, left out, counted, and in whole steps', () => {
    const program = { ...fuelProgram, leavesOut: ['tip', 'tax'] as const }
    const input = at({}, { program, cents: 200_00, tipCents: 30_00, taxCents: 10_00, refundedCents: 50_00 })
    expect(calculateReward(input)).toEqual({
      billCents: 200_00,
      refundedCents: 50_00,
      leftOutCents: 30_00,
      countedCents: 120_00,
      steppedCents: 100_00,
      rate: 20,
      ratePercent: 100,
      benefit: 20,
      isCapped: false,
    })
    expect(countedCentsOf(computeAward(input))).toBe(120_00)
  })

  test('is empty where nothing is earned, for whatever reason', () => {
    const nothing = [
      at({}, { refundedCents: 42_10 }),
      at({ leftOn: '2026-03-01' }),
      at({}, { program: fuelProgram, cents: 49_99 }),
      at({}, { stage: 'authorized', waiting: 'over' }),
    ]
    for (const input of nothing) {
      expect(calculateReward(input)).toBeNull()
      expect(countedCentsOf(computeAward(input))).toBe(0)
    }
    // An amount that counts but earns nothing is not counted.
    expect(countedCentsOf({ benefit: 0, reason: { ...computeAward(awardInput).reason } })).toBe(0)
  })

  test('says that a maximum applied only when it lowered the reward', () => {
    const capped = (maxRewardPerMeal: number) =>
      computeAward(at({}, { program: { ...milesProgram, maxRewardPerMeal } }))
    expect([125, 126, 127].map((cap) => [capped(cap).reason.code, capped(cap).benefit])).toEqual([
      ['earnedUpToMaximum', 125],
      ['earned', 126],
      ['earned', 126],
    ])
    // A limit of the offer with a maximum that does not apply keeps its own reason.
    const limited = at(
      { offers: offers({ maxSpendCents: 20_00 }) },
      { program: { ...milesProgram, maxRewardPerMeal: 1000 } },
    )
    expect(codeOf(limited)).toBe('earnedUpToLimit')
  })

  test('an expired review ends a reward only where the program asks for reviews and something was earned', () => {
    const expired = (program: Partial<AwardInput['program']>, over: Partial<AwardInput> = {}) =>
      codeOf(at({}, { program: { ...milesProgram, ...program }, review: 'expired', ...over }))
    expect(expired({ reviewWithinDays: 35 })).toBe('reviewExpired')
    expect(expired({})).toBe('earned')
    expect(expired({ reviewWithinDays: 35 }, { refundedCents: 42_10 })).toBe('refunded')
    expect(expired({ reviewWithinDays: 35, earnRates: {} })).toBe('tierWithoutReward')
  })

  test('a debit card with PIN earns nothing only where the program excludes it', () => {
    const excludes = { ...milesProgram, excludesPinDebit: true }
    expect([codeOf(at({}, { pinDebit: true })), codeOf(at({}, { program: excludes }))]).toEqual(['earned', 'earned'])
    expect(codeOf(at({}, { pinDebit: true, program: excludes }))).toBe('debitWithPin')
  })
})
