import { DAY, offsetAt } from './time.ts'

/**
 * Returns the instant of a network's `datetime`. Without an offset it is the restaurant's local time; an hour that
 * occurs twice in autumn is taken as its first. A time that is skipped in spring comes from a clock that was not set
 * forward yet: 2:30 AM is 3:30 AM.
 */
export function instantOf(datetime: string, timeZone: string): Date {
  if (/(Z|[+-]\d\d:?\d\d)$/i.test(datetime)) return new Date(datetime)
  const wall = Date.parse(`${datetime}Z`)
  const before = wall - offsetAt(wall - DAY, timeZone)
  const after = wall - offsetAt(wall + DAY, timeZone)
  const exists = (instant: number) => instant + offsetAt(instant, timeZone) === wall
  return new Date(!exists(before) && exists(after) ? after : before)
}
