import { DAY, offsetAt } from './time.ts'

/**
 * Returns the instant of a network's `datetime`. Without an offset it is the restaurant's local time; an hour that
 * occurs twice in autumn is taken as its first.
 */
export function instantOf(datetime: string, timeZone: string): Date {
  if (/(Z|[+-]\d\d:?\d\d)$/i.test(datetime)) return new Date(datetime)
  const wall = Date.parse(`${datetime}Z`)
  const before = wall - offsetAt(wall - DAY, timeZone)
  const after = wall - offsetAt(wall + DAY, timeZone)
  return new Date(offsetAt(before, timeZone) === wall - before ? before : after)
}
