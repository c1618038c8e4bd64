import { expect, test } from 'vitest'
import type { MemberEligibility } from '../../identity/members/service.ts'
import { DAY } from '../../platform/time.ts'
import { ProgramConfig } from '../../programs/partners/schemas.ts'
import { merchantAt, type NetworkMerchant, programTerms } from './current-terms.ts'
import { hasReachedVip } from './dining-progress.ts'
import { flexRateOf } from './flex-offers.ts'
import { cardAt } from './match-context.ts'
import { maxDistanceMs, mayHonor } from './reservation-bonus.ts'
import { tierAt } from './tier-history.ts'

const config = (over: object) =>
  ProgramConfig.parse({
    code: 'test',
    name: 'Test',
    programName: 'Test Dining',
    currencyName: 'miles',
    currencyType: 'Mile',
    earnRates: { OptedOut: 100, NonActivated: 100, OptedIn: 300, VIP: 500 },
    customerSupport: {
      phone: { href: 'tel:+18005550100', formatted: '(800) 555-0100' },
      email: { href: 'mailto:help@example.com', display: 'help@example.com' },
    },
    ...over,
  })
const moment = new Date('2026-03-10T12:00:00Z')
const later = (milliseconds: number) => new Date(moment.getTime() + milliseconds)

test('a card earns from the moment of its link until the moment before its removal', () => {
  const link = { id: 1, memberId: 1, linkedAt: moment, removedAt: later(10) }
  const next = { id: 2, memberId: 2, linkedAt: later(20), removedAt: null }
  const at = (milliseconds: number) => cardAt([next, link], later(milliseconds))?.id
  expect([-1, 0, 9, 10, 19, 20].map(at)).toEqual([1, 1, 1, 2, 2, 2])
  expect(cardAt([link], later(10))).toBeUndefined()
  // Of links that began at once, the last one counts.
  expect(cardAt([{ ...link, id: 3 }, link], moment)?.id).toBe(3)
})

test('a tier counts until the moment it changed, and VIP on its first and last day', () => {
  const member: MemberEligibility = {
    id: 1,
    active: true,
    member_type: 'EnrolledCardMember',
    tier_level: 'OptedIn',
    tier_since: null,
    vip_from: '2026-03-10',
    vip_until: '2026-03-11',
    email_opt_in: true,
  }
  const former = [{ tier: 'OptedOut' as const, until: moment, lastDay: null }]
  expect([tierAt(member, former, later(-1), 'UTC'), tierAt(member, former, moment, 'UTC')]).toEqual(['OptedOut', 'VIP'])
  const on = (day: string, over: Partial<MemberEligibility> = {}) =>
    tierAt({ ...member, ...over }, [], new Date(`${day}T12:00:00Z`), 'UTC')
  const days = ['2026-03-09', '2026-03-10', '2026-03-11', '2026-03-12']
  expect(days.map((day) => on(day))).toEqual(['OptedIn', 'VIP', 'VIP', 'OptedIn'])
  expect(days.map((day) => on(day, { tier_level: 'VIP' }))).toEqual(['VIP', 'VIP', 'VIP', 'OptedIn'])
  expect(on('2026-03-12', { tier_level: 'VIP', email_opt_in: false })).toBe('OptedOut')
  expect(on('2026-03-12', { tier_level: 'VIP', vip_until: null })).toBe('VIP')
  expect(on('2026-03-10', { tier_level: 'NonActivated' })).toBe('NonActivated')
})

test('HIST-045 VIP begins and ends at midnight of the restaurant, whenever the change was recorded', () => {
  const member: MemberEligibility = {
    id: 1,
    active: true,
    member_type: 'EnrolledCardMember',
    tier_level: 'OptedIn',
    tier_since: null,
    vip_from: '2026-03-11',
    vip_until: '2027-12-31',
    email_opt_in: true,
  }
  const at = (of: MemberEligibility, former: Parameters<typeof tierAt>[1], instant: string, timeZone: string) =>
    tierAt(of, former, new Date(instant), timeZone)
  // At 9 AM in UTC, March 11 has begun in New York, but not in Honolulu.
  const [honolulu, newYork, guam] = ['Pacific/Honolulu', 'America/New_York', 'Pacific/Guam'] as const
  const began = { tier: 'OptedIn' as const, until: new Date('2026-03-11T04:00:00Z'), lastDay: '2026-03-10' }
  const vip = { ...member, tier_level: 'VIP' }
  for (const [of, former] of [
    [member, []],
    [vip, [began]],
  ] as const) {
    expect(at(of, former, '2026-03-11T09:00:00Z', honolulu)).toBe('OptedIn')
    expect(at(of, former, '2026-03-11T09:00:00Z', newYork)).toBe('VIP')
    expect(at(of, former, '2026-03-10T15:00:00Z', guam)).toBe('VIP')
    expect(at(of, former, '2026-03-10T15:00:00Z', newYork)).toBe('OptedIn')
  }
  const ended = { tier: 'VIP' as const, until: new Date('2028-01-01T05:00:00Z'), lastDay: '2027-12-31' }
  for (const [of, former] of [
    [vip, [began]],
    [{ ...member, vip_from: null, vip_until: null }, [began, ended]],
  ] as const) {
    expect(at(of, former, '2028-01-01T09:30:00Z', honolulu)).toBe('VIP')
    expect(at(of, former, '2028-01-01T10:30:00Z', honolulu)).toBe('OptedIn')
    expect(at(of, former, '2027-12-31T15:00:00Z', guam)).toBe('OptedIn')
  }
})

test('a network id belongs to a restaurant from its first day until the day before its last', () => {
  const merchant = (id: number, since: string, until: string | null) =>
    ({
      id,
      name: String(id),
      since,
      sinceAt: null,
      until,
      terms: { timeZone: 'America/New_York' },
    }) as unknown as NetworkMerchant
  const found = [merchant(1, '2026-03-01', '2026-03-10'), merchant(2, '2026-03-10', '2026-03-20')]
  const on = (day: string) => {
    const merchantThen = merchantAt(found, () => new Date(`${day}T16:00:00Z`))
    return merchantThen && [merchantThen.id, merchantThen.terms.idUntil]
  }
  expect(on('2026-02-28')).toBeUndefined()
  expect(on('2026-03-01')).toEqual([1, undefined])
  expect(on('2026-03-09')).toEqual([1, undefined])
  expect(on('2026-03-10')).toEqual([2, undefined])
  expect(on('2026-03-19')).toEqual([2, undefined])
  expect(on('2026-03-20')).toEqual([2, '2026-03-20'])
})

test('a personal offer counts on its first and last day; of several the best', () => {
  const offer = { merchantId: 1, tiers: ['OptedIn'], extraRate: 100, startsOn: '2026-03-10', endsOn: '2026-03-11' }
  const rate = (date: string, over: object = {}) =>
    flexRateOf([offer, { ...offer, extraRate: 50, startsOn: '2026-03-09', endsOn: null }], {
      merchantId: 1,
      tier: 'OptedIn',
      date,
      ...over,
    })
  expect(['2026-03-08', '2026-03-09', '2026-03-10', '2026-03-11', '2026-03-12'].map((day) => rate(day))).toEqual([
    0, 50, 100, 100, 50,
  ])
  expect([rate('2026-03-10', { merchantId: 2 }), rate('2026-03-10', { tier: 'VIP' })]).toEqual([0, 0])
})

test('former rates count on their last day, the earliest of them first', () => {
  const rates = (optedIn: number) => ({ OptedOut: 100, NonActivated: 100, OptedIn: optedIn, VIP: 500 })
  const formerRates = [
    { until: '2026-03-10', earnRates: rates(200) },
    { until: '2026-02-10', earnRates: rates(150), earnStepCents: 25_00 },
  ]
  const termsOn = (date: string) => programTerms(config({ formerRates, earnStepCents: 1_00 }), date)
  const on = (date: string) => termsOn(date).earnRates.OptedIn
  expect(['2026-02-10', '2026-02-11', '2026-03-10', '2026-03-11'].map(on)).toEqual([150, 200, 200, 300])
  // Without a step of their own, they have the current one.
  expect(['2026-02-10', '2026-03-10', '2026-03-11'].map((date) => termsOn(date).earnStepCents)).toEqual([
    25_00, 1_00, 1_00,
  ])
})

test('tip and tax are left out where the program does not count them', () => {
  const leavesOut = (over: object) => programTerms(config(over), '2026-03-10').leavesOut
  expect(leavesOut({ countsTip: false, countsTax: true })).toEqual(['tip'])
  expect(leavesOut({ countsTip: true, countsTax: false })).toEqual(['tax'])
})

test('a transaction may honor reservations less than a week away', () => {
  const reservation = { memberId: 1, merchantId: 2, startsAt: moment } as Parameters<typeof mayHonor>[1]
  const may = (milliseconds: number, over = {}) =>
    mayHonor({ member_id: 1, merchant_id: 2, occurred_at: later(milliseconds), ...over }, reservation)
  expect(maxDistanceMs).toBe(7 * DAY)
  expect([-7 * DAY, 1 - 7 * DAY, 7 * DAY - 1, 7 * DAY].map((each) => may(each))).toEqual([false, true, true, false])
  expect([may(0, { member_id: 2 }), may(0, { merchant_id: 1 })]).toEqual([false, false])
})

test('VIP is reached with exactly the goal', () => {
  const year = (over: object) => ({ dines: 0, spentCents: 0, benefit: 0, isVip: false, ...over })
  const dines = config({ hasVIP: true, vipDinesRequired: 11 })
  expect([10, 11].map((count) => hasReachedVip(dines, year({ dines: count })))).toEqual([false, true])
  const spending = config({ hasVIP: true, vipDollarsRequired: 500 })
  expect([499_99, 500_00].map((spentCents) => hasReachedVip(spending, year({ spentCents })))).toEqual([false, true])
})
