import { expect, test } from 'vitest'
import { dayIn, dayText, monthIn, timeText } from './times.ts'

test('CON-701 a time is in the zone of its program, which it names, also in summer and beside a change of the day', () => {
  expect(timeText('2026-11-27T15:05:00Z', 'America/Chicago')).toBe('Nov 27, 2026, 9:05 AM CST')
  expect(timeText('2026-07-01T03:05:00Z', 'America/Chicago')).toBe('Jun 30, 2026, 10:05 PM CDT')
  expect(timeText(new Date('2026-11-27T15:05:00Z'), 'America/Phoenix')).toBe('Nov 27, 2026, 8:05 AM MST')
  expect(timeText('2026-11-27T15:05:00Z', 'UTC')).toBe('Nov 27, 2026, 3:05 PM UTC')
})

test('a day has no zone', () => {
  expect(dayText('2026-11-27')).toBe('Nov 27, 2026')
})

test('an address with an impossible day or month has none', () => {
  expect(['2026-11-27', '2026-02-29', '2024-02-29', '11/27/2026', '2026-13-01', '', undefined].map(dayIn)).toEqual([
    '2026-11-27',
    undefined,
    '2024-02-29',
    ...Array<undefined>(4),
  ])
  expect(monthIn('2026-02')).toBe('2026-02')
  for (const text of ['2026-13', 'abc', '2026-2', undefined]) expect(monthIn(text)).toBeUndefined()
})
