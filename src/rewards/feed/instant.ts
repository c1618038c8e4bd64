import { DAY, offsetAt } from '../../kit/time.ts'

/**
 * The instant of a network's `datetime`. With a zone of its own it says so itself; without one it is what the
 * clock on the restaurant's wall showed. An hour that happens twice in autumn is taken as its first.
 */
export function instantOf(datetime: string, timeZone: string): Date {
  if (/(Z|[+-]\d\d:?\d\d)$/i.test(datetime)) return new Date(datetime)
  const wall = Date.parse(`${datetime}Z`)
  const before = wall - offsetAt(wall - DAY, timeZone)
  const after = wall - offsetAt(wall + DAY, timeZone)
  return new Date(offsetAt(before, timeZone) === wall - before ? before : after)
}
