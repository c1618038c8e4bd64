import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TierLevel } from '../../programs/partners/schemas.ts'
import type { Offer } from './contract.ts'
import { merchantsCopy } from './copy.ts'
import {
  earnDays,
  earnKey,
  earnsOn,
  meanRating,
  milesBetween,
  offersOn,
  openState,
  squaredDistanceFromMiles,
  tierNeeded,
} from './rules.ts'

const chicago = { latitude: 41.8781, longitude: -87.6298 }
const newYork = { latitude: 40.7128, longitude: -74.006 }
const offer: Offer = {
  type: 'Unlimited',
  days: [1, 2],
  startsOn: '2026-01-01',
  endsOn: '2026-06-30',
  maxSpendCents: null,
  maxVisitsPerMonth: null,
  maxMonthlySpendCents: null,
  minSpendCents: 0,
  hours: null,
  ratePercent: 100,
}

/** The textbook formula. */
function haversine(a: typeof chicago, b: typeof chicago): number {
  const [p, q, d] = [a.latitude, b.latitude, b.longitude - a.longitude].map((degrees) => (degrees * Math.PI) / 180)
  const half = Math.sin(((q as number) - (p as number)) / 2) ** 2
  const turn = Math.cos(p as number) * Math.cos(q as number) * Math.sin((d as number) / 2) ** 2
  return 2 * 3958.8 * Math.asin(Math.sqrt(Math.min(1, half + turn)))
}

test('distances are miles over the ground', () => {
  expect(milesBetween(chicago, newYork)).toBeCloseTo(711.5, 0)
  expect(milesBetween(newYork, newYork)).toBe(0)
  const point = fc.record({
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  })
  fc.assert(
    fc.property(point, point, (a, b) => {
      expect(Math.abs(milesBetween(a, b) - haversine(a, b))).toBeLessThan(0.001)
    }),
  )
  expect(squaredDistanceFromMiles(100_000)).toBe(4)
})

test('an offer is valid from its first to its last date, on its days', () => {
  const lasting = { ...offer, days: [6], endsOn: null }
  expect(offersOn([offer], '2025-12-31')).toEqual([])
  expect(offersOn([offer], '2026-01-01')).toEqual([offer])
  expect(offersOn([offer], '2026-06-30')).toEqual([offer])
  expect(offersOn([offer, lasting], '2026-07-01')).toEqual([lasting])
  expect([...earnDays([offer, lasting], '2026-03-01')].sort()).toEqual([1, 2, 6])
  // An offer without a rate earns nothing.
  const empty = { ...lasting, days: [3], ratePercent: 0 }
  expect([offersOn([empty], '2026-07-01'), [...earnDays([offer, empty], '2026-03-01')].sort()]).toEqual([[], [1, 2]])
})

test('a rating is a mean to one decimal, 0 without ratings', () => {
  expect(meanRating(0, 0)).toBe(0)
  expect(meanRating(14, 3)).toBe(4.7)
})

test('CARDM-015 MERCH-014 acclaimed level 1 requires tier 2, level 2 requires tier 3', () => {
  const needed = [0, 1, 2].map((level) => ([0, 1, 2, 3] as const).map((tier) => tierNeeded(level, tier)))
  expect(needed).toEqual([
    [null, null, null, null],
    [2, 2, null, null],
    [3, 3, 3, null],
  ])
})

test('a restaurant is open within its hours, also past midnight; unknown hours give null', () => {
  const hours: Record<string, [string, string][]> = {
    '5': [
      ['11:00', '14:00'],
      ['17:30', '25:30'],
    ],
    '6': [['18:00', '02:00']],
  }
  const open = (weekday: number, clock: string) => {
    const [hour, minute] = clock.split(':').map(Number) as [number, number]
    return openState(hours, { date: '2026-11-20', weekday, minutes: hour * 60 + minute })?.open
  }
  expect([open(5, '10:59'), open(5, '11:00'), open(5, '13:59'), open(5, '14:00')]).toEqual([false, true, true, false])
  expect([open(5, '23:59'), open(6, '01:29'), open(6, '01:30')]).toEqual([true, true, false])
  expect([open(6, '18:00'), open(0, '01:59'), open(0, '02:00')]).toEqual([true, true, false])
  expect(openState(null, { date: '2026-11-20', weekday: 5, minutes: 720 })).toBeNull()
})

test('a closed restaurant has its next opening, an open one its closing time', () => {
  const hours: Record<string, [string, string][]> = { '5': [['17:30', '22:00']], '1': [['11:00', '14:00']] }
  const at = (weekday: number, minutes: number) => openState(hours, { date: '2026-11-20', weekday, minutes })
  expect(at(5, 18 * 60)).toEqual({ open: true, until: '22:00' })
  expect(at(5, 12 * 60)).toEqual({ open: false, next: { weekday: null, at: '17:30' } })
  expect(at(5, 23 * 60)).toEqual({ open: false, next: { weekday: 1, at: '11:00' } })
  expect(openState({}, { date: '2026-11-20', weekday: 5, minutes: 0 })).toEqual({ open: false, next: null })
})

test('CARDM-016 every tier has its own text for what it earns', () => {
  const config = { hasVIP: true, earnRates: { OptedOut: 100, NonActivated: 100, OptedIn: 300, VIP: 500 } } as never
  const keys = TierLevel.options.map((tier) => earnKey(config, tier))
  const messages = keys.map((key) => merchantsCopy[key as keyof typeof merchantsCopy])
  expect(new Set(messages).size).toBe(4)
  expect(messages.every((text) => text.includes('{rate}'))).toBe(true)
  // Where all tiers earn the same, no tier sees the hint at a better rate.
  const flat = { hasVIP: false, earnRates: { OptedOut: 20, NonActivated: 20, OptedIn: 20, VIP: 20 } } as never
  for (const tier of ['OptedOut', 'NonActivated'] as const) expect(earnKey(flat, tier)).toBe('merchant.earn')
})

test('a restaurant earns on the weekdays of an offer that runs and has a rate', () => {
  // June 29, 2026 is a Monday; the offer is for Mondays and Tuesdays until June 30.
  const days = ['2025-12-30', '2026-06-28', '2026-06-29', '2026-06-30', '2026-07-06']
  expect(days.map((date) => earnsOn([offer], date))).toEqual([false, false, true, true, false])
  expect(earnsOn([{ ...offer, ratePercent: 0 }], '2026-06-29')).toBe(false)
  expect(earnsOn([{ ...offer, ratePercent: 0 }, offer], '2026-06-29')).toBe(true)
  expect([earnsOn([], '2026-06-29'), earnsOn([{ ...offer, days: [3] }], '2026-06-29')]).toEqual([false, false])
})

test('a closed restaurant opens next at its first opening, a week later if only today’s has passed', () => {
  const at = (hours: Parameters<typeof openState>[0], minutes: number) =>
    openState(hours, { date: '2026-11-20', weekday: 5, minutes })
  const twice = {
    5: [
      ['18:00', '22:00'],
      ['11:00', '14:00'],
    ],
  } as Parameters<typeof openState>[0]
  expect(at(twice, 600)).toEqual({ open: false, next: { weekday: null, at: '11:00' } })
  expect(at(twice, 840)).toEqual({ open: false, next: { weekday: null, at: '18:00' } })
  expect(at(twice, 1320)).toEqual({ open: false, next: { weekday: 5, at: '11:00' } })
  // From Friday over the weekend to Sunday and Monday.
  expect(at({ 0: [['09:00', '12:00']] }, 0)).toEqual({ open: false, next: { weekday: 0, at: '09:00' } })
  expect(at({ 1: [['09:00', '12:00']] }, 0)).toEqual({ open: false, next: { weekday: 1, at: '09:00' } })
  // Hours that end when they start last a day.
  const always = { 5: [['06:00', '06:00']] } as Parameters<typeof openState>[0]
  expect([at(always, 359)?.open, at(always, 360)?.open, at(always, 1439)?.open]).toEqual([false, true, true])
})
