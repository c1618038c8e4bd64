import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type BonusTerms,
  findCompletingIndex,
  findQualifyingIndexes,
  type MemberBonus,
  mergeBonuses,
  sortBanners,
} from './rules.ts'

const now = new Date('2026-06-30T12:00:00Z')
const hours = 3_600_000
const days = 24 * hours
const bonus = (over: Partial<MemberBonus> = {}): MemberBonus => ({
  code: 'A',
  bonusStatus: 'Eligible',
  createDateUtc: '2026-06-01T00:00:00.000Z',
  isNewMemberBonus: false,
  memberIsEligibleForNMB: false,
  ...over,
})
const banner = (over: { code?: string; daysToDisplay?: unknown } = {}) => ({ code: 'A', daysToDisplay: 60, ...over })
const sectionOf = (over: Partial<MemberBonus>, of: Parameters<typeof banner>[0] = {}) => {
  const { available, activated } = sortBanners([banner(of)], [bonus(over)], now)
  return available.length > 0 ? 'available' : activated.length > 0 ? 'activated' : 'nowhere'
}

describe('the section of a bonus banner', () => {
  test('BON-001 BON-002 DATA-027 an eligible bonus is available, an enrolled or qualified one activated', () => {
    expect(sectionOf({})).toBe('available')
    expect(sectionOf({ bonusStatus: 'Enrolled' })).toBe('activated')
    expect(sectionOf({ bonusStatus: 'Qualified' })).toBe('activated')
  })

  test('BON-005 a banner without its bonus, or after its last moment, is hidden', () => {
    expect(sectionOf({ code: 'B' })).toBe('nowhere')
    const created = (ago: number) => ({ createDateUtc: new Date(now.getTime() - ago).toISOString() })
    expect(sectionOf(created(60 * days))).toBe('available')
    expect(sectionOf(created(60 * days + 1))).toBe('nowhere')
    expect(sectionOf({ createDateUtc: '' })).toBe('available')
  })

  test('BON-006 a number of days that is not an integer means always', () => {
    const old = { createDateUtc: '2020-01-01T00:00:00.000Z' }
    for (const daysToDisplay of ['abc', null, undefined, 1.5, '60']) {
      expect(sectionOf(old, { daysToDisplay })).toBe('available')
    }
    expect(sectionOf(old, { daysToDisplay: 60 })).toBe('nowhere')
  })

  test('BON-013 a new-member bonus is offered to eligible members and stays with members who have it', () => {
    expect(sectionOf({ isNewMemberBonus: true })).toBe('nowhere')
    expect(sectionOf({ isNewMemberBonus: true, memberIsEligibleForNMB: true })).toBe('available')
    expect(sectionOf({ isNewMemberBonus: true, bonusStatus: 'Qualified' })).toBe('activated')
  })
})

describe('the bonuses of a member', () => {
  const member = { enrollmentSource: 'EMAIL-NMB', joinDate: '2026-04-01', activeBonuses: [] }
  const injected = [{ code: 'NMB', enrollmentSource: 'EMAIL-NMB', withinHours: 2160, appOnly: false }]
  const codes = (over: Partial<typeof member>, at: Date) =>
    mergeBonuses({ ...member, ...over }, { injected, stored: new Set(), timeZone: 'UTC', now: at }).map(
      ({ code }) => code,
    )
  const joined = Date.parse('2026-04-01T00:00:00Z')

  test('BON-007 CONST-024 a bonus is injected by enrollment source, within 2160 hours of joining', () => {
    expect(codes({}, new Date(joined + 2160 * hours))).toEqual(['NMB'])
    expect(codes({}, new Date(joined + 2160 * hours + 1))).toEqual([])
    expect(codes({ enrollmentSource: 'WEB' }, new Date(joined))).toEqual([])
  })

  test('BON-008 a bonus of the app is injected for every member', () => {
    const app = [{ code: 'APP', appOnly: true }]
    const found = mergeBonuses(member, { injected: app, stored: new Set(), timeZone: 'UTC', now })
    expect(found).toMatchObject([{ code: 'APP', bonusStatus: 'Eligible' }])
  })

  test('an injected bonus began when the member joined, and is none of new members', () => {
    const [found] = mergeBonuses(member, { injected, stored: new Set(), timeZone: 'UTC', now: new Date(joined) })
    expect(found).toEqual({
      code: 'NMB',
      bonusStatus: 'Eligible',
      createDateUtc: '2026-04-01T00:00:00.000Z',
      isNewMemberBonus: false,
      memberIsEligibleForNMB: false,
    })
  })

  test('BON-004 a bonus that is earned already stays earned, whatever this browser stored', () => {
    const own = { ...member, activeBonuses: [bonus({ code: 'NMB', bonusStatus: 'Qualified' })] }
    const [found] = mergeBonuses(own, { injected, stored: new Set(['NMB']), timeZone: 'UTC', now })
    expect(found?.bonusStatus).toBe('Qualified')
  })

  test('BON-001 banners keep their order and their content', () => {
    const banners = [banner({ code: 'B' }), banner({ code: 'A' })]
    const own = [bonus(), bonus({ code: 'B' })]
    expect(sortBanners(banners, own, now)).toEqual({ available: banners, activated: [] })
  })

  test('BON-004 a bonus that was just activated in this browser counts as enrolled and is not injected again', () => {
    const own = { ...member, activeBonuses: [bonus({ code: 'NMB' })] }
    const found = mergeBonuses(own, { injected, stored: new Set(['NMB']), timeZone: 'UTC', now: new Date(joined) })
    expect(found.map(({ code, bonusStatus }) => [code, bonusStatus])).toEqual([['NMB', 'Enrolled']])
  })
})

describe('completing a bonus', () => {
  const terms: BonusTerms = {
    amount: 250,
    description: 'x',
    dines: 2,
    withinDays: 30,
    distinctPlaces: false,
    minimumCents: 0,
    days: [0, 1, 2, 3, 4, 5, 6],
    from: '00:00',
    until: '23:59',
  }
  const start = new Date('2026-06-01T00:00:00Z')
  // The day on which it begins and 30 more, in UTC.
  const period = { from: start, lastDay: '2026-07-01' }
  const transaction = (day: number, over: Partial<{ merchantId: number; cents: number; hour: number }> = {}) => ({
    dinedAt: new Date(start.getTime() + day * days + (over.hour ?? 16) * hours),
    timeZone: 'America/New_York',
    merchantId: over.merchantId ?? 1,
    cents: over.cents ?? 30_00,
  })

  test('the second transaction completes it, and transactions before its activation or after its days do not count', () => {
    expect(findCompletingIndex(terms, period, [transaction(1), transaction(2), transaction(3)])).toBe(1)
    expect(findCompletingIndex(terms, period, [transaction(-1), transaction(2)])).toBeNull()
    expect(findCompletingIndex(terms, period, [transaction(1), transaction(31)])).toBeNull()
  })

  test('BON-011 two transactions at one restaurant on one local day count as one', () => {
    expect(findCompletingIndex(terms, period, [transaction(1), transaction(1, { hour: 20 })])).toBeNull()
    expect(findCompletingIndex(terms, period, [transaction(1), transaction(1, { merchantId: 2 })])).toBe(1)
    // 04:00 UTC is midnight in New York.
    expect(findCompletingIndex(terms, period, [transaction(1), transaction(2, { hour: 3 })])).toBeNull()
    expect(findCompletingIndex(terms, period, [transaction(1), transaction(2, { hour: 4 })])).toBe(1)
  })

  test('distinct restaurants, local hours, weekdays and the minimum amount are required', () => {
    const distinctTerms = { ...terms, distinctPlaces: true }
    expect(
      findCompletingIndex(distinctTerms, period, [transaction(1), transaction(2), transaction(3, { merchantId: 2 })]),
    ).toBe(2)
    // 16:00 UTC is noon in New York.
    expect(
      findCompletingIndex({ ...terms, from: '11:00', until: '12:00' }, period, [transaction(1), transaction(2)]),
    ).toBe(1)
    expect(findCompletingIndex({ ...terms, from: '12:01' }, period, [transaction(1), transaction(2)])).toBeNull()
    // June 1, 2026 is a Monday.
    expect(findCompletingIndex({ ...terms, days: [1] }, period, [transaction(0), transaction(1), transaction(7)])).toBe(
      2,
    )
    expect(findCompletingIndex({ ...terms, minimumCents: 40_00 }, period, [transaction(1), transaction(2)])).toBeNull()
  })

  test('its first and last moment, its last minute and exactly its minimum count', () => {
    const one = { ...terms, dines: 1 }
    const counts = (at: number, over: Partial<BonusTerms> = {}) =>
      findCompletingIndex({ ...one, ...over }, period, [{ ...transaction(0), dinedAt: new Date(at) }]) === 0
    expect([counts(start.getTime() - 1), counts(start.getTime())]).toEqual([false, true])
    // The last day counts to its end in New York.
    const end = Date.parse('2026-07-02T04:00:00Z')
    expect([counts(end - 1), counts(end)]).toEqual([true, false])
    const noon = start.getTime() + 16 * hours
    expect([counts(noon, { until: '12:00' }), counts(noon + 60_000, { until: '12:00' })]).toEqual([true, false])
    expect([counts(noon, { minimumCents: 30_00 }), counts(noon, { minimumCents: 30_01 })]).toEqual([true, false])
  })

  test('BON-025 hours that end after midnight count to the night on which they began', () => {
    const late = { ...terms, dines: 1, from: '22:00', until: '04:00' }
    const at = (local: string, over: Partial<BonusTerms> = {}) =>
      findCompletingIndex({ ...late, ...over }, period, [{ ...transaction(0), dinedAt: new Date(`${local}-04:00`) }])
    expect([at('2026-06-02T21:59'), at('2026-06-02T22:00'), at('2026-06-03T00:30')]).toEqual([null, 0, 0])
    expect([at('2026-06-03T04:00'), at('2026-06-03T04:01')]).toEqual([0, null])
    // June 5, 2026 is a Friday: its night ends on Saturday.
    const friday = { days: [5] }
    expect([at('2026-06-05T03:00', friday), at('2026-06-06T03:00', friday)]).toEqual([null, 0])
    // The night of the last day belongs to it.
    expect([at('2026-07-02T03:00'), at('2026-07-02T22:00')]).toEqual([0, null])
    const night = [transaction(1, { hour: 3 }), transaction(1, { hour: 7 })]
    expect(findQualifyingIndexes({ ...late, dines: 2 }, period, night)).toEqual([0])
  })

  test('Case 73 a card of an earlier account counts, except for a bonus of new members', () => {
    const complete = (newMembers: boolean | undefined, cardLinkedBefore: boolean) =>
      findCompletingIndex({ ...terms, dines: 1, ...(newMembers !== undefined && { newMembers }) }, period, [
        { ...transaction(1), cardLinkedBefore },
      ])
    expect([complete(true, true), complete(true, false), complete(false, true), complete(undefined, true)]).toEqual([
      null,
      0,
      0,
      0,
    ])
  })

  test('no more transactions count than it requires', () => {
    const several = [1, 2, 3, 4].map((day) => transaction(day))
    expect(findQualifyingIndexes(terms, period, several)).toEqual([0, 1])
    expect(findQualifyingIndexes(terms, period, several.slice(0, 1))).toEqual([0])
  })

  test('more transactions never undo it', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(40)), fc.array(fc.nat(40)), (some, more) => {
        const list = (ofDays: number[]) => ofDays.toSorted((a, b) => a - b).map((day) => transaction(day))
        const few = findCompletingIndex(terms, period, list(some))
        const many = findCompletingIndex(terms, period, list([...some, ...more]))
        return few === null || many !== null
      }),
    )
  })
})
