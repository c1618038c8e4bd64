import { expect, test } from 'vitest'
import { instantOf } from './instant.ts'

const newYork = (datetime: string) => instantOf(datetime, 'America/New_York').toISOString()

test('a datetime with a zone is an instant', () => {
  expect(newYork('2026-03-10T19:30:00Z')).toBe('2026-03-10T19:30:00.000Z')
  expect(newYork('2026-03-10T19:30:00+02:00')).toBe('2026-03-10T17:30:00.000Z')
  expect(newYork('2026-03-10T19:30:00-0700')).toBe('2026-03-11T02:30:00.000Z')
  expect(newYork('2026-03-10T19:30:00z')).toBe('2026-03-10T19:30:00.000Z')
})

test('a datetime without a zone is local time, in winter and summer', () => {
  expect(newYork('2026-01-10T19:30:12')).toBe('2026-01-11T00:30:12.000Z')
  expect(newYork('2026-07-10T19:30:12.500')).toBe('2026-07-10T23:30:12.500Z')
  expect(instantOf('2026-07-10T19:30:00', 'Pacific/Honolulu').toISOString()).toBe('2026-07-11T05:30:00.000Z')
})

test('around clock changes the instants are right, and a repeated hour is its first', () => {
  expect(newYork('2026-03-08T01:59:00')).toBe('2026-03-08T06:59:00.000Z')
  expect(newYork('2026-03-08T03:00:00')).toBe('2026-03-08T07:00:00.000Z')
  expect(newYork('2026-11-01T01:30:00')).toBe('2026-11-01T05:30:00.000Z')
  expect(newYork('2026-11-01T02:00:00')).toBe('2026-11-01T07:00:00.000Z')
  const berlin = (datetime: string) => instantOf(datetime, 'Europe/Berlin').toISOString()
  expect(berlin('2026-10-25T02:30:00')).toBe('2026-10-25T00:30:00.000Z')
  expect(berlin('2026-10-25T03:00:00')).toBe('2026-10-25T02:00:00.000Z')
})

test('HIST-046 a time that the clocks skip in spring is the one an hour later', () => {
  expect(newYork('2026-03-08T02:00:00')).toBe('2026-03-08T07:00:00.000Z')
  expect(newYork('2026-03-08T02:30:00')).toBe('2026-03-08T07:30:00.000Z')
  expect(newYork('2026-03-08T02:59:59')).toBe('2026-03-08T07:59:59.000Z')
  const of = (datetime: string, timeZone: string) => instantOf(datetime, timeZone).toISOString()
  expect(of('2026-03-29T02:30:00', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z')
  // Half an hour is skipped there.
  expect(of('2026-10-04T02:15:00', 'Australia/Lord_Howe')).toBe('2026-10-03T15:45:00.000Z')
})
