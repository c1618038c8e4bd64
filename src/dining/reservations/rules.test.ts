import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { addDays, localMoment, parseClock, toClock, toInstant } from '../../platform/time.ts'
import {
  availabilityStateOf,
  clockText,
  dayText,
  defaultPartySize,
  defaultTime,
  fitsParty,
  halfHoursEachSide,
  initialSlots,
  isOnTime,
  isOverlapping,
  maxSlots,
  nearestSlots,
  nearestTime,
  partySizes,
  seatingTimes,
  selectableDates,
  selectableTimes,
  sizeProblem,
  slotColumns,
  timeOnDate,
  timeProblem,
  turnMinutes,
} from './rules.ts'

const newYork = 'America/New_York'

test('RESV-002 RESV-006 RESV-007 RESV-009 CONST-017 the constants of the booking block', () => {
  expect({
    slotColumns,
    usualTime: defaultTime,
    usualPartySize: defaultPartySize,
    slotsAtFirst: initialSlots,
    slotsAtMost: maxSlots,
    halfHoursEachSide,
  }).toEqual({
    slotColumns: 3,
    usualTime: '19:00',
    usualPartySize: 2,
    slotsAtFirst: 6,
    slotsAtMost: 18,
    halfHoursEachSide: 5,
  })
})

test('RESV-008 dates range from yesterday to one year ahead', () => {
  expect(selectableDates('2026-03-01')).toEqual({ first: '2026-02-28', last: '2027-03-01' })
  expect(selectableDates('2028-02-29')).toEqual({ first: '2028-02-28', last: '2029-03-01' })
})

test('RESV-013 CONST-007 reservations 119 minutes apart overlap, 120 minutes apart do not', () => {
  const at = new Date('2026-11-20T23:00:00Z')
  const later = (minutes: number) => new Date(at.getTime() + minutes * 60_000)
  expect([0, 119, -119, 120, -120].map((minutes) => isOverlapping(at, later(minutes)))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
})

test('RESV-003 a transaction is in time up to two hours before and after the reserved time, in whole minutes', () => {
  const startsAt = new Date('2026-11-20T23:00:00Z')
  const inTime = (minutes: number) => isOnTime(new Date(startsAt.getTime() + minutes * 60_000), startsAt)
  expect([-121, -120, 0, 120, 120.9, 121].map(inTime)).toEqual([false, true, true, true, true, false])
  // The night on which daylight saving time ends has an extra hour.
  const tableAt = toInstant('2026-11-01', 30, newYork) as Date
  expect(isOnTime(new Date('2026-11-01T06:30:00Z'), tableAt)).toBe(true)
  expect(isOnTime(new Date('2026-11-01T06:31:00Z'), tableAt)).toBe(false)
})

describe('a table', () => {
  test('suits a party that fits and is not much too small for it', () => {
    expect([1, 2, 3, 4, 5].map((party) => fitsParty(4, party))).toEqual([true, true, true, true, false])
    expect(fitsParty(8, 2)).toBe(false)
  })

  test('RESV-005 a party can be too small or too large for every table', () => {
    expect([2, 4, 7, 9].map((party) => sizeProblem([2, 4, 6], party))).toEqual([null, null, 'tooBig', 'tooBig'])
    expect([1, 2, 3].map((party) => sizeProblem([6, 8], party))).toEqual(['tooSmall', 'tooSmall', null])
    expect(sizeProblem([], 2)).toBe('tooBig')
  })
})

describe('bookable times of a day', () => {
  const hours = {
    '5': [
      ['11:30', '14:00'],
      ['17:00', '01:00'],
    ] as [string, string][],
  }
  const times = seatingTimes(hours, '2026-11-20', newYork).map(({ minutes }) => minutes)

  test('follow the opening hours in quarter hours, until an hour before closing or until midnight', () => {
    expect(times[0]).toBe(parseClock('11:30'))
    expect(times).toContain(parseClock('13:00'))
    expect(times).not.toContain(parseClock('13:15'))
    expect(times).not.toContain(parseClock('16:45'))
    expect(times.at(-1)).toBe(parseClock('23:45'))
    // A restaurant that closes when it opens is open around the clock.
    expect(seatingTimes({ '5': [['09:00', '09:00']] }, '2026-11-20', newYork)).toHaveLength(15 * 4)
  })

  test('RESV-028 after midnight belong to the date on which they are, until an hour before closing', () => {
    const late = { '5': [['17:00', '03:00']], '6': [['17:00', '22:00']] } as never
    const clocks = (date: string) => seatingTimes(late, date, newYork).map(({ minutes }) => toClock(minutes))
    const [friday, saturday, sunday] = ['2026-11-20', '2026-11-21', '2026-11-22'].map(clocks)
    expect([friday?.[0], friday?.at(-1), friday?.length]).toEqual(['17:00', '23:45', 28])
    const afterMidnight = ['00:00', '00:15', '00:30', '00:45', '01:00', '01:15', '01:30', '01:45', '02:00']
    expect(saturday?.slice(0, 10)).toEqual([...afterMidnight, '17:00'])
    expect([saturday?.at(-1), sunday]).toEqual(['21:00', []])
    expect(selectableTimes(late, '2026-11-21')).toContain('00:30')
    // Open until half an hour past midnight: its last seating is before midnight.
    expect(seatingTimes({ '5': [['17:00', '00:30']] } as never, '2026-11-21', newYork)).toEqual([])
    expect(seatingTimes({ '6': [['22:00', '01:00']] } as never, '2026-11-22', newYork)).toHaveLength(1)
  })

  test('are none on a day off, or when the hours are unknown', () => {
    expect(seatingTimes(hours, '2026-11-22', newYork)).toEqual([])
    expect(seatingTimes(null, '2026-11-20', newYork)).toEqual([])
  })

  test('RESV-009 the nearest are shown, at most 18, at most five half-hours from the requested time', () => {
    const slots = times.map((minutes) => ({ minutes }))
    const shown = nearestSlots(slots, parseClock('19:00')).map(({ minutes }) => minutes)
    expect(shown).toHaveLength(18)
    expect(shown).toEqual(shown.toSorted((a, b) => a - b))
    expect(Math.max(...shown.map((minutes) => Math.abs(minutes - parseClock('19:00'))))).toBeLessThanOrEqual(150)
    expect(shown).toContain(parseClock('19:00'))
  })
})

test('RESV-005 yesterday and the next half hour are too soon, half a year ahead is too far', () => {
  const now = new Date('2026-11-20T23:40:00Z') // 18:40 in New York
  const problem = (date: string, time: string) =>
    timeProblem({ date, startsAt: toInstant(date, parseClock(time), newYork), timeZone: newYork }, now)
  expect(problem('2026-11-19', '19:00')).toBe('tooClose')
  expect(problem('2026-11-20', '19:00')).toBe('tooClose')
  expect(problem('2026-11-20', '19:15')).toBeNull()
  expect(problem(addDays('2026-11-20', 180), '19:00')).toBeNull()
  expect(problem(addDays('2026-11-20', 181), '19:00')).toBe('tooFar')
})

test('RESV-005 tables without a bonus have their own state only in programs with a bonus', () => {
  const [plain, rich] = [{ bonus: false }, { bonus: true }]
  expect(availabilityStateOf([], true)).toBe('none')
  expect(availabilityStateOf([plain], true)).toBe('noBonus')
  expect(availabilityStateOf([plain], false)).toBe('available')
  expect(availabilityStateOf([plain, rich], true)).toBe('available')
})

test('a date and a time as text', () => {
  expect(dayText('2026-11-21')).toBe('Saturday, November 21')
  expect(['00:15', '12:00', '19:30'].map(clockText)).toEqual(['12:15 AM', '12:00 PM', '7:30 PM'])
})

describe('the instant of a local time', () => {
  test('does not exist in the hour that spring skips, and is the first of two in the hour that autumn repeats', () => {
    expect(toInstant('2026-03-08', parseClock('02:30'), newYork)).toBeNull()
    expect(toInstant('2026-11-01', parseClock('01:30'), newYork)).toEqual(new Date('2026-11-01T05:30:00Z'))
    expect(toInstant('2026-11-01', parseClock('02:00'), newYork)).toEqual(new Date('2026-11-01T07:00:00Z'))
  })

  test('has that local time, in every zone on every day', () => {
    const zones = [newYork, 'America/Phoenix', 'Pacific/Honolulu', 'America/St_Johns', 'Pacific/Guam', 'UTC']
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 800 }),
        fc.integer({ min: 0, max: 1439 }),
        fc.constantFrom(...zones),
        (day, minutes, zone) => {
          const date = addDays('2026-01-01', day)
          const instant = toInstant(date, minutes, zone)
          if (instant) expect(localMoment(instant, zone)).toMatchObject({ date, minutes })
        },
      ),
    )
  })
})

test('a party stays 90 minutes for two, two hours for up to six, then two and a half', () => {
  expect([1, 2, 3, 6, 7, 20].map(turnMinutes)).toEqual([90, 90, 120, 120, 150, 150])
})

test('RESV-001 the selectable times are half-hours within the hours, every one when those are unknown, none on a day off', () => {
  // November 20, 2026 is a Friday; the last seating is an hour before closing.
  const hours = {
    5: [
      ['17:10', '20:00'],
      ['11:00', '12:30'],
    ],
  } as Parameters<typeof selectableTimes>[0]
  expect(selectableTimes(hours, '2026-11-20')).toEqual(['11:00', '11:30', '17:30', '18:00', '18:30', '19:00'])
  expect(selectableTimes(hours, '2026-11-21')).toEqual([])
  const all = selectableTimes(null, '2026-11-21')
  expect([all.length, all[0], all.at(-1)]).toEqual([36, '06:00', '23:30'])
})

test('RESV-001 the requested time stays when it is offered, else the nearest one is chosen', () => {
  const times = ['17:30', '18:00', '20:30']
  expect([nearestTime(times, '18:00'), nearestTime(times, '19:00'), nearestTime(times, '19:16')]).toEqual([
    '18:00',
    '18:00',
    '20:30',
  ])
  expect([nearestTime(times, '23:00'), nearestTime(times, '06:00'), nearestTime([], '19:00')]).toEqual([
    '20:30',
    '17:30',
    '19:00',
  ])
})

test('a time between half-hours stays on a date on which guests are seated then', () => {
  // November 20, 2026 is a Friday, with a last seating at 19:00.
  const hours = { 5: [['17:00', '20:00']] } as Parameters<typeof timeOnDate>[0]
  const on = (date: string, time: string) => timeOnDate(hours, date, time)
  expect([on('2026-11-20', '17:15'), on('2026-11-20', '19:15'), on('2026-11-21', '17:15')]).toEqual([
    '17:15',
    '19:00',
    '17:15',
  ])
  expect(timeOnDate(null, '2026-11-20', '17:15')).toBe('17:15')
})

test('times of two openings are in order, and none exists in a skipped hour', () => {
  const hours = {
    0: [
      ['22:00', '23:15'],
      ['01:45', '04:15'],
    ],
  } as Parameters<typeof seatingTimes>[0]
  // On March 8, 2026 New York skips the hour from 2 to 3.
  expect(seatingTimes(hours, '2026-03-08', newYork).map(({ minutes }) => minutes)).toEqual([105, 180, 195, 1320, 1335])
  expect(seatingTimes(hours, '2026-03-09', newYork)).toEqual([])
})

test('RESV-005 a table can be booked until exactly half an hour before, and never on a past day', () => {
  const startsAt = new Date('2026-11-21T00:00:00Z')
  const problem = (now: string, at: Date | null = startsAt, date = '2026-11-20') =>
    timeProblem({ date, startsAt: at, timeZone: newYork }, new Date(now))
  expect([problem('2026-11-20T23:30:00Z'), problem('2026-11-20T23:30:00.001Z')]).toEqual([null, 'tooClose'])
  // A skipped local time of yesterday has no instant, and is past all the same.
  expect([problem('2026-11-21T05:00:00Z', null), problem('2026-11-21T04:59:59Z', null)]).toEqual(['tooClose', null])
})

test('RESV-005 a party of exactly a table that is too large for fewer is not too small for it', () => {
  expect([sizeProblem([4], 4), sizeProblem([8], 4), sizeProblem([4], 5), sizeProblem([], 2)]).toEqual([
    null,
    'tooSmall',
    'tooBig',
    'tooBig',
  ])
})

test('the nearest slots within two and a half hours are listed in order of time, of equal distances the earlier', () => {
  const slots = (...minutes: number[]) => minutes.map((each) => ({ minutes: each }))
  const listed = nearestSlots(slots(1290, 1140, 989, 990, 1291), 1140).map(({ minutes }) => minutes)
  expect(listed).toEqual([990, 1140, 1290])
  const many = slots(...Array.from({ length: 20 }, (_, index) => 1000 + index * 10).toReversed())
  const nearest = nearestSlots(many, 1095).map(({ minutes }) => minutes)
  expect([nearest.length, nearest[0], nearest.at(-1)]).toEqual([18, 1010, 1180])
  const tie = nearestSlots(many, 1100).map(({ minutes }) => minutes)
  expect([tie[0], tie.at(-1)]).toEqual([1010, 1180])
})

test('the hours of a date are those of its weekday, wherever the device is', () => {
  const hours = { 5: [['17:00', '18:30']] } as Parameters<typeof selectableTimes>[0]
  for (const zone of ['America/Los_Angeles', 'Pacific/Auckland', 'UTC']) {
    vi.stubEnv('TZ', zone)
    // November 20, 2026 is a Friday.
    const times = ['2026-11-19', '2026-11-20', '2026-11-21'].map((date) => selectableTimes(hours, date))
    expect([zone, times]).toEqual([zone, [[], ['17:00', '17:30'], []]])
    expect(dayText('2026-11-20')).toBe('Friday, November 20')
  }
})

test('RESV-001 a party has up to twenty people', () => {
  expect([partySizes.length, partySizes[0], partySizes.at(-1)]).toEqual([20, 1, 20])
})
