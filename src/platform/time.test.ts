import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import {
  addDays,
  addMonths,
  formatClock,
  isDay,
  isMonth,
  isSupportedDay,
  localMoment,
  offsetAt,
  parseClock,
  toClock,
  toInstant,
} from './time.ts'

const zones = [
  'America/New_York',
  'America/Phoenix',
  'Pacific/Honolulu',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Europe/London',
  'UTC',
]

test('local time matches Intl at any moment in any zone', () => {
  const moment = fc.date({ min: new Date('1980-01-01'), max: new Date('2060-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(moment, fc.constantFrom(...zones), (at, timeZone) => {
      const { date, weekday, minutes } = localMoment(at, timeZone)
      const shown = at.toLocaleString('en-CA', { timeZone, hourCycle: 'h23', dateStyle: 'short', timeStyle: 'short' })
      const clock = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
      expect(shown).toBe(`${date}, ${clock}`)
      expect(at.toLocaleDateString('en-US', { timeZone, weekday: 'short' })).toBe(
        ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][weekday],
      )
    }),
    { numRuns: 3000 },
  )
})

test('a time skipped in spring has no instant, and one repeated in autumn is its first', () => {
  expect(toInstant('2026-03-08', 2 * 60 + 30, 'America/New_York')).toBeNull()
  expect(toInstant('2026-11-01', 60 + 30, 'America/New_York')?.toISOString()).toBe('2026-11-01T05:30:00.000Z')
})

test('an offset is cached and stays right on both sides of a change', () => {
  const change = Date.parse('2026-03-08T07:00:00Z')
  const hours = [change - 1, change, change + 1, change - 1].map((at) => offsetAt(at, 'America/New_York') / 3_600_000)
  expect(hours).toEqual([-5, -4, -4, -5])
})

test('an unknown time zone is rejected', () => {
  expect(() => localMoment(new Date(), 'Mars/Olympus')).toThrow(RangeError)
})

test('full, the cache of offsets evicts the oldest one only', () => {
  const formatted = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts')
  const offsetOf = (quarter: number) => offsetAt(quarter * 900_000, 'Pacific/Chatham')
  for (let quarter = 0; quarter <= 10_000; quarter++) offsetOf(quarter)
  expect(formatted).toHaveBeenCalledTimes(10_001)
  for (const quarter of [10_000, 9_999, 5_000, 1]) offsetOf(quarter)
  expect(formatted).toHaveBeenCalledTimes(10_001)
  offsetOf(0)
  expect(formatted).toHaveBeenCalledTimes(10_002)
})

test('days and months are added across months, years and leap days', () => {
  expect([addDays('2026-03-01', -1), addDays('2028-02-28', 1), addDays('2026-12-31', 1)]).toEqual([
    '2026-02-28',
    '2028-02-29',
    '2027-01-01',
  ])
  expect([
    addMonths('2026-01', -1),
    addMonths('2026-12', 1),
    addMonths('2026-06', 0),
    addMonths('2026-03', -15),
  ]).toEqual(['2025-12', '2027-01', '2026-06', '2024-12'])
})

test('a day is one of the calendar, written in full', () => {
  expect(['2026-02-28', '2028-02-29', '1999-12-31'].filter(isDay)).toHaveLength(3)
  const wrong = ['2026-02-29', '2026-13-01', '2026-00-10', '2026-1-01', '0999-01-01', 'x2026-01-01', '2026-01-01x', '']
  expect(wrong.filter(isDay)).toEqual([])
  expect(['2026-02', '2026-12'].filter(isMonth)).toHaveLength(2)
  expect(['2026-13', '2026-2', '2026-02-01', ''].filter(isMonth)).toEqual([])
})

test('a date that a request may contain is from 1900 to 2199', () => {
  const days = ['1899-12-31', '1900-01-01', '2199-12-31', '2200-01-01', '2026-02-30', '']
  expect(days.filter(isSupportedDay)).toEqual(['1900-01-01', '2199-12-31'])
})

test('a time of day is written for readers, and hours from 24 on are those of the next morning', () => {
  const times = ['00:00', '00:05', '09:30', '11:59', '12:00', '12:01', '17:00', '23:59', '24:00', '25:30', '36:00']
  expect(times.map(formatClock)).toEqual([
    '12 AM',
    '12:05 AM',
    '9:30 AM',
    '11:59 AM',
    '12 PM',
    '12:01 PM',
    '5 PM',
    '11:59 PM',
    '12 AM',
    '1:30 AM',
    '12 PM',
  ])
  expect([0, 65, 1110, 1439].map(toClock)).toEqual(['00:00', '01:05', '18:30', '23:59'])
  expect(['00:00', '01:05', '18:30', '25:00'].map(parseClock)).toEqual([0, 65, 1110, 1500])
})

test('a repeated hour is its first instant on either side of the equator, whatever the sign of the offset', () => {
  expect(toInstant('2026-11-01', 90, 'America/New_York')?.toISOString()).toBe('2026-11-01T05:30:00.000Z')
  expect(toInstant('2026-04-05', 150, 'Australia/Sydney')?.toISOString()).toBe('2026-04-04T15:30:00.000Z')
  expect(toInstant('2026-10-25', 90, 'Europe/London')?.toISOString()).toBe('2026-10-25T00:30:00.000Z')
  expect(toInstant('2026-03-08', 150, 'America/New_York')).toBeNull()
})
