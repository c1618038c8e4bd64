import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { localMoment, offsetAt, toInstant } from './time.ts'

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
