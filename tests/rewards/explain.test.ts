import { describe, expect, test } from 'vitest'
import { translate } from '../../src/programs/content/messages.ts'
import { publicConfig } from '../../src/programs/partners/public-config.ts'
import { copyTokens } from '../../src/programs/partners/rules.ts'
import { rewardsCopy } from '../../src/rewards/earning/copy.ts'
import { displayStatus, explain, statusText } from '../../src/rewards/earning/explain.ts'
import { computeAward } from '../../src/rewards/earning/rules.ts'
import { DisplayStatus } from '../../src/rewards/earning/schemas.ts'
import type { AwardInput } from '../../src/rewards/earning/terms.ts'
import { awardInput, bistro, everyDay, fuelProgram, optedIn } from '../support/reward-fixtures.ts'
import { programConfig } from '../support/rewards-harness.ts'

const config = publicConfig(programConfig('skyharbor'))
const messagesContext = { messages: rewardsCopy, tokens: copyTokens(config) }

function why(over: Partial<AwardInput>, program = config): string {
  const { reason, benefit, awardStatus } = computeAward({ ...awardInput, ...over })
  const { key, params } = explain(program, { reason, benefit, awardStatus, merchantName: 'Corner Bistro' })
  return translate({ messages: rewardsCopy, tokens: copyTokens(program) }, key, params)
}

const offering = (over: Partial<typeof everyDay>) => ({ ...bistro, offers: [{ ...everyDay, ...over }] })

describe('the explanation of an award', () => {
  test.each<[string, Partial<AwardInput>]>([
    ['You earned 126 miles on $42.10 at Corner Bistro.', {}],
    [
      '126 miles on the way for $42.10 at Corner Bistro. The final bill, including tip, sets the exact amount.',
      { stage: 'authorized' },
    ],
    [
      'You earned 60 miles. Corner Bistro rewards up to $20.00 per visit, so $20.00 of the $42.10 counted.',
      { merchant: offering({ maxSpendCents: 20_00 }) },
    ],
    ['$12.10 of $42.10 was refunded to your card. You keep 90 miles for the rest.', { refundedCents: 12_10 }],
    ['Corner Bistro refunded this meal, so it earns nothing.', { refundedCents: 42_10 }],
    ['Rewards here start at $50.00. This meal came to $42.10.', { program: fuelProgram }],
    ['Corner Bistro offers no reward on Tuesdays.', { merchant: offering({ days: [0] }) }],
    [
      'Corner Bistro left the program on Mar 1, 2026, before this meal.',
      { merchant: { ...bistro, leftOn: '2026-03-01' } },
    ],
    [
      'You had already earned at Corner Bistro that month. It rewards one visit per month.',
      { merchant: offering({ maxVisitsPerMonth: 1 }), earlierVisits: 1 },
    ],
    [
      'Your card was linked on Mar 11, 2026, 8:00 AM and earns from Mar 11, 2026, 8:00 AM. This meal was before that.',
      { member: { ...optedIn, cardLinkedAt: '2026-03-11T12:00:00.000Z' } },
    ],
    [
      'This meal needed a review by Apr 14, 2026 to earn. We didn’t get one.',
      { program: { ...awardInput.program, reviewWithinDays: 35 }, review: 'expired' },
    ],
    [
      'Rewards here start at $50.00. After a refund of $60.00, this meal came to $40.00.',
      { program: fuelProgram, cents: 100_00, refundedCents: 60_00 },
    ],
    [
      'Rewards here start at $50.00. Without tip, this meal came to $42.10.',
      { program: { ...fuelProgram, leavesOut: ['tip'] }, cents: 52_10, tipCents: 10_00 },
    ],
    [
      'Rewards here start at $50.00. After a refund of $52.00, and without tip and tax, this meal came to $39.00.',
      {
        program: { ...fuelProgram, leavesOut: ['tip', 'tax'] },
        cents: 104_00,
        refundedCents: 52_00,
        tipCents: 16_00,
        taxCents: 10_00,
      },
    ],
    [
      'Rewards here start at $50.00. Of this meal, $20.00 was within the limit of Corner Bistro.',
      {
        program: fuelProgram,
        cents: 100_00,
        merchant: offering({ maxMonthlySpendCents: 120_00 }),
        earlierCountedCents: 100_00,
      },
    ],
    [
      'Meals of $50.00 or more earn here. After a refund of $10.00, this one came to $45.00.',
      { program: { ...awardInput.program, minimumCents: 50_00 }, cents: 55_00, refundedCents: 10_00 },
    ],
    [
      'You earned 126 miles at Corner Bistro: of $52.10, $42.10 counted, without tip.',
      { program: { ...awardInput.program, leavesOut: ['tip'] }, cents: 52_10, tipCents: 10_00 },
    ],
    [
      '$50.00 of $100.00 was refunded to your card. Of the rest, $40.00 counts: you keep 120 miles.',
      { program: { ...awardInput.program, leavesOut: ['tip'] }, cents: 100_00, tipCents: 20_00, refundedCents: 50_00 },
    ],
    [
      '$50.00 of $100.00 was refunded to your card. Of the rest, $20.00 counts: you keep 60 miles.',
      { merchant: offering({ maxSpendCents: 20_00 }), cents: 100_00, refundedCents: 50_00 },
    ],
    [
      '$50.00 of $100.00 was refunded to your card. You keep 100 miles, the most one meal can earn.',
      { program: { ...awardInput.program, maxRewardPerMeal: 100 }, cents: 100_00, refundedCents: 50_00 },
    ],
    [
      'Corner Bistro rewards the nights that begin on Fridays, from 10 PM to 2 AM. This meal was in the night before.',
      {
        dinedAt: '2026-03-13T05:30:00.000Z',
        merchant: offering({ days: [5], hours: { from: '22:00', until: '02:00' }, isNight: true }),
      },
    ],
    [
      'Corner Bistro offers no reward on Fridays.',
      {
        dinedAt: '2026-03-13T16:30:00.000Z',
        merchant: offering({ days: [6], hours: { from: '22:00', until: '02:00' }, isNight: true }),
      },
    ],
    [
      'Corner Bistro left the program on Mar 10, 2026, 7:00 PM, before this meal.',
      { merchant: { ...bistro, leftOn: '2026-03-10', leftAt: '2026-03-10T23:00:00.000Z' } },
    ],
  ])('HIST-048 %s', (sentence, over) => {
    expect(why(over).replaceAll('\u202f', ' ')).toBe(sentence)
  })

  test.each([
    ['reservationBonus', 'Awarded', 'reservationBonus'],
    ['reservationBonus', 'Forfeit', 'reservationBonus_lost'],
    ['reservationCanceled', 'Forfeit', 'reservationBonus_canceled'],
    ['replacedByTransaction', 'Forfeit', 'replacedByTransaction'],
    ['bonus', 'Awarded', 'bonus'],
    ['bonus', 'Forfeit', 'bonus_lost'],
    ['creditedByHand', 'Awarded', 'creditedByHand'],
  ] as const)('an entry without inputs is explained by its code: %s, %s', (code, awardStatus, key) => {
    const reason = { code, rule: 3, description: 'Three dinners' } as never
    const explained = explain(config, { reason, awardStatus, benefit: 500, merchantName: 'Corner Bistro' })
    const params = {
      merchant: 'Corner Bistro',
      benefit: '500 miles',
      ...(code === 'bonus' && { bonus: 'Three dinners' }),
    }
    expect(explained).toEqual({ code, rule: 3, key: `rewards.why.${key}`, params })
    expect(Object.keys(rewardsCopy)).toContain(explained.key)
  })

  test('every reason has a sentence without unfilled tokens', () => {
    const inputs: Partial<AwardInput>[] = [
      { member: null },
      { merchant: null },
      { currency: 'CAD' },
      { cents: 0 },
      { member: { ...optedIn, open: false } },
      { member: { ...optedIn, tier: 'OptedOut' }, program: { ...awardInput.program, earnRates: {} } },
      { merchant: { ...bistro, joinedOn: '2026-04-01' } },
      { merchant: { ...bistro, participating: false } },
      { merchant: { ...bistro, offers: [] } },
      { merchant: offering({ maxVisitsPerMonth: 2 }), earlierVisits: 2 },
      { stage: 'authorized', merchant: offering({ maxSpendCents: 20_00 }) },
      { stage: 'authorized', refundedCents: 12_10 },
      { stage: 'authorized', program: fuelProgram },
      { merchant: offering({ maxMonthlySpendCents: 100_00 }), earlierCountedCents: 80_00 },
      { merchant: offering({ maxMonthlySpendCents: 100_00 }), earlierCountedCents: 100_00 },
      { merchant: offering({ minSpendCents: 100_00 }) },
      { merchant: offering({ hours: { from: '11:00', until: '14:00' } }) },
      { merchant: { ...bistro, idUntil: '2026-03-01' } },
      { merchant: null, knownBrand: 'Corner Bistro' },
      { merchant: null, waiting: 'over' },
      { stage: 'authorized', waiting: 'over' },
      { pinDebit: true, program: { ...awardInput.program, excludesPinDebit: true } },
      { program: { ...awardInput.program, maxRewardPerMeal: 5 } },
      { program: { ...awardInput.program, deferDays: 3 } },
    ]
    for (const over of inputs) expect(why(over)).toMatch(/^[^{}]{20,}\.$/)
  })

  test('a manual entry says so', () => {
    const explained = explain(config, {
      reason: { code: 'goodwill' } as never,
      benefit: 100,
      awardStatus: 'Awarded',
      merchantName: '',
    })
    expect(translate(messagesContext, explained.key, explained.params)).toMatch(/made by hand/)
  })

  test('a program that gives cents per gallon says so', () => {
    const dollars = { ...publicConfig(programConfig('gallonaire')), rewardPer: 'gallon' }
    expect(why({ program: { ...fuelProgram }, cents: 120_00 }, dollars)).toBe(
      'You earned 20¢ per gallon on $120.00 at Corner Bistro.',
    )
  })
})

const occurredAt = '2026-03-10T23:30:00.000Z'
const days = (count: number) => new Date(Date.parse(occurredAt) + count * 86_400_000)

function status(
  statusCopy: 'plain' | 'translated' | 'fuel',
  state: DisplayStatus,
  over: { paidAt?: string; now?: Date } = {},
) {
  const entry = { status: state, transactionCreatedAt: occurredAt, paidAt: over.paidAt ?? null }
  const { key, params, dimmed, details } = statusText(
    { statusCopy, timeZone: 'America/New_York' },
    entry,
    over.now ?? days(1),
  )
  return {
    text: translate(messagesContext, key, params),
    dimmed,
    details: details && translate(messagesContext, details),
  }
}

/** Returns the status of a transaction after the engine's award. */
function statusAfter(over: Partial<AwardInput>): DisplayStatus {
  const { awardStatus, benefit, reason } = computeAward({ ...awardInput, ...over })
  const cleared = (over.stage ?? awardInput.stage) === 'cleared'
  return displayStatus({ awardStatus, benefit, cleared, code: reason.code, typeCode: 'S', paid: false })
}

describe('the status of a transaction', () => {
  const reviewing = { ...awardInput.program, reviewWithinDays: 35 }
  test.each<[status: DisplayStatus, over: Partial<AwardInput>]>([
    ['open', { stage: 'authorized' }],
    ['open', { stage: 'authorized', program: reviewing }],
    ['open', { stage: 'authorized', program: fuelProgram }],
    ['posted', {}],
    ['posted', { refundedCents: 12_10 }],
    ['review', { program: reviewing }],
    ['posted', { program: reviewing, review: 'done' }],
    ['reviewExpired', { program: reviewing, review: 'expired' }],
    ['held', { program: { ...awardInput.program, deferDays: 3 } }],
    ['checking', { merchant: null }],
    ['checking', { member: null }],
    ['refunded', { refundedCents: 42_10 }],
    ['canceled', { cents: 0 }],
    ['expired', { stage: 'authorized', waiting: 'over' }],
    ['belowMinimum', { program: fuelProgram }],
    ['belowMinimum', { merchant: offering({ minSpendCents: 100_00 }) }],
    ['outsideOffer', { merchant: offering({ days: [0] }) }],
    ['outsideOffer', { merchant: offering({ hours: { from: '11:00', until: '14:00' } }) }],
    ['outsideOffer', { merchant: { ...bistro, offers: [] } }],
    ['limitReached', { merchant: offering({ maxVisitsPerMonth: 2 }), earlierVisits: 2 }],
    ['limitReached', { merchant: offering({ maxMonthlySpendCents: 100_00 }), earlierCountedCents: 100_00 }],
    ['notEarned', { merchant: { ...bistro, leftOn: '2026-03-01' } }],
    ['notEarned', { merchant: null, waiting: 'over' }],
    ['notEarned', { member: { ...optedIn, open: false } }],
  ])('is %s: %j', (expected, over) => {
    expect(statusAfter(over)).toBe(expected)
  })

  test('of a bonus says bonus, also when it is reversed', () => {
    const bonus = { code: 'reservationBonus', typeCode: 'B', cleared: true, paid: false } as const
    expect(displayStatus({ ...bonus, awardStatus: 'Awarded', benefit: 500 })).toBe('bonus')
    expect(displayStatus({ ...bonus, awardStatus: 'Forfeit', benefit: 0 })).toBe('bonusTakenBack')
    expect(displayStatus({ ...bonus, awardStatus: 'Paid', benefit: 500, paid: true })).toBe('paid')
  })

  test('has a text in every program, and a refund, a small bill or a wrong day is not called expired', () => {
    for (const statusCopy of ['plain', 'translated', 'fuel'] as const) {
      for (const each of DisplayStatus.options) {
        const { text } = status(statusCopy, each, { paidAt: occurredAt })
        expect(text).toMatch(each === 'posted' && statusCopy !== 'translated' ? /^$/ : /^[A-Z][^{}]+$/)
      }
      const named = (['refunded', 'belowMinimum', 'outsideOffer'] as const).map((each) => status(statusCopy, each).text)
      expect(named).toEqual(['Refunded', 'Below the minimum', 'Outside the offer'])
    }
  })
})

describe('the status text', () => {
  test('HIST-010 plain: awarded has no text', () => {
    expect(status('plain', 'posted')).toEqual({ text: '', dimmed: false, details: null })
  })

  test('HIST-011 plain: a charge that was never completed is expired', () => {
    expect(status('plain', 'expired').text).toBe('Expired')
    expect(status('plain', 'notEarned').text).toBe('Not earned')
  })

  test('HIST-012 plain: a pending review is shown through day 35 and as expired on day 36; an open charge is open', () => {
    const texts = [35, 36].map((count) => status('plain', 'review', { now: days(count) }).text)
    expect(texts).toEqual(['Pending Review', 'Review expired'])
    expect(status('plain', 'open').text).toBe('Open')
  })

  test('HIST-013 HIST-045 translated: forfeit, pending, paid with its short date, and deferred have their texts', () => {
    const paid = status('translated', 'paid', { paidAt: '2026-03-12T04:10:00.000Z' }).text
    expect(paid).toBe('Paid 3/12/26')
    expect(status('translated', 'paid', { paidAt: '2026-03-13T03:50:00.000Z' }).text).toBe('Paid 3/12/26')
    const others = (['notEarned', 'open', 'checking', 'posted'] as const).map((each) => status('translated', each).text)
    expect(others).toEqual(['Not earned', 'Pending', 'Being checked', 'In your balance'])
  })

  test('HIST-014 forfeit, pending and deferred are dimmed, the others are not', () => {
    const back = ['notEarned', 'refunded', 'open', 'review', 'checking', 'held', 'bonusTakenBack'] as const
    for (const each of back) expect([each, status('plain', each).dimmed]).toEqual([each, true])
    for (const each of ['posted', 'paid', 'bonus'] as const)
      expect([each, status('plain', each).dimmed]).toEqual([each, false])
  })

  test('HIST-015 fuel: deferred is not earned, finalized later, and takes up to two weeks', () => {
    for (const each of ['checking', 'held'] as const) {
      const { text, details } = status('fuel', each)
      expect([each, text]).toEqual([each, 'Not earned'])
      expect(details).toMatch(/finalized later.*up to two weeks/)
    }
  })

  test('HIST-016 HIST-017 fuel: forfeit did not qualify, pending is processing', () => {
    expect((['notEarned', 'open'] as const).map((each) => status('fuel', each).text)).toEqual([
      'Not earned, did not qualify',
      'Processing',
    ])
  })
})
