import { expect, test } from 'vitest'
import { merchantAt, type NetworkMerchant, programTerms } from '../../src/rewards/awards/current-terms.ts'
import { flexRateOf } from '../../src/rewards/awards/flex-offers.ts'
import { cardAt } from '../../src/rewards/awards/match-context.ts'
import { bistro } from '../support/reward-fixtures.ts'
import { programConfig } from '../support/rewards-harness.ts'

test('a day has the rates and the step of the earliest period that it belongs to, in whatever order these are listed', () => {
  const rates = (OptedIn: number) => ({ OptedOut: 20, NonActivated: 20, OptedIn, VIP: 20 })
  const formerRates = [
    { until: '2026-02-28', earnRates: rates(25), earnStepCents: 25_00 },
    { until: '2025-12-31', earnRates: rates(15) },
    { until: '2026-04-30', earnRates: rates(35) },
  ]
  const config = { ...programConfig('gallonaire'), earnRates: rates(45), formerRates }
  const termsOn = (date: string) => {
    const { earnRates, earnStepCents } = programTerms(config, date)
    return [earnRates.OptedIn, earnStepCents]
  }
  expect(['2025-12-31', '2026-01-01', '2026-02-28', '2026-03-01', '2026-04-30', '2026-05-01'].map(termsOn)).toEqual([
    [15, 50_00],
    [25, 25_00],
    [25, 25_00],
    [35, 50_00],
    [35, 50_00],
    [45, 50_00],
  ])
  expect(config.formerRates[0]?.until).toBe('2026-02-28')
})

test('a network id belongs to the last restaurant that got it, else, once expired, to the last one that had it', () => {
  const merchant = (id: number, since: string, until: string | null): NetworkMerchant => ({
    id,
    name: `Place ${id}`,
    since,
    sinceAt: null,
    until,
    terms: bistro,
  })
  const found = [
    merchant(1, '2026-01-01', '2026-02-01'),
    // Two restaurants have the id for a while.
    merchant(2, '2026-03-01', '2026-05-01'),
    merchant(3, '2026-04-01', '2026-06-01'),
  ]
  const on = (date: string) => {
    const each = merchantAt(found, () => new Date(`${date}T16:00:00Z`))
    return each && [each.id, each.terms.idUntil]
  }
  expect(on('2025-12-31')).toBeUndefined()
  expect(['2026-01-01', '2026-01-31', '2026-02-01', '2026-02-28'].map(on)).toEqual([
    [1, undefined],
    [1, undefined],
    [1, '2026-02-01'],
    [1, '2026-02-01'],
  ])
  expect(['2026-03-01', '2026-04-01', '2026-05-31', '2026-06-01'].map(on)).toEqual([
    [2, undefined],
    [3, undefined],
    [3, undefined],
    [3, '2026-06-01'],
  ])
})

test('on the day of a change the moment decides between two restaurants, and none between two ids of one', () => {
  const merchant = (id: number, since: string, sinceAt: string | null, until: string | null): NetworkMerchant => ({
    id,
    name: `Place ${id}`,
    since,
    sinceAt: sinceAt === null ? null : new Date(sinceAt),
    until,
    terms: bistro,
  })
  const noon = '2026-03-10T16:00:00Z'
  const [first, second] = [merchant(1, '2000-01-01', null, '2026-03-11'), merchant(2, '2026-03-10', noon, null)]
  const at = (found: NetworkMerchant[], instant: string) => merchantAt(found, () => new Date(instant))?.id
  const both = [first, second]
  expect([at(both, '2026-03-10T15:59:59.999Z'), at(both, noon), at(both, '2026-03-11T03:59:00Z')]).toEqual([1, 2, 2])
  // The new id of one restaurant counts for the whole day: the change may have been entered late.
  expect([at([second], '2026-03-10T04:00:00Z'), at([second], '2026-03-10T03:59:00Z')]).toEqual([2, undefined])
  expect(at([first], '2026-03-11T03:59:00Z')).toBe(1)
})

test('the best personal offer counts, of those of the restaurant, the tier and the day', () => {
  const day = { startsOn: '2026-03-10', endsOn: '2026-03-12' }
  const offers = [
    { merchantId: 1, tiers: ['OptedIn', 'VIP'], extraRate: 200, ...day },
    { merchantId: 1, tiers: ['OptedIn'], extraRate: 500, ...day },
    { merchantId: 1, tiers: ['OptedIn'], extraRate: 300, startsOn: '2026-03-11', endsOn: null },
    { merchantId: 2, tiers: ['OptedIn', 'VIP'], extraRate: 900, ...day },
  ]
  const rate = (tier: 'OptedIn' | 'VIP' | 'OptedOut', date: string) => flexRateOf(offers, { merchantId: 1, tier, date })
  expect(['2026-03-09', '2026-03-10', '2026-03-12', '2026-03-13'].map((date) => rate('OptedIn', date))).toEqual([
    0, 500, 500, 300,
  ])
  expect([rate('VIP', '2026-03-10'), rate('OptedOut', '2026-03-10')]).toEqual([200, 0])
})

test('a transaction belongs to the last link of its card at that moment, else to the first one after it', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 2, 10, 12, minute))
  const cards = [
    { id: 3, memberId: 30, linkedAt: at(40), removedAt: null },
    { id: 2, memberId: 20, linkedAt: at(20), removedAt: at(30) },
    { id: 4, memberId: 40, linkedAt: at(40), removedAt: null },
    { id: 1, memberId: 10, linkedAt: at(10), removedAt: at(20) },
  ]
  const holder = (minute: number) => cardAt(cards, at(minute))?.memberId
  expect([9, 10, 19, 20, 29, 30, 39, 40, 90].map(holder)).toEqual([10, 10, 10, 20, 20, 30, 30, 40, 40])
  expect(cardAt(cards.slice(1, 2), at(30))).toBeUndefined()
})
