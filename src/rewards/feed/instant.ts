import { DAY, offsetAt } from '../../kit/time.ts'
import type { FeedEvent } from './contract.ts'

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

/** How far in the future an event may be dated: local times without an offset are up to half a day off. */
const mostAhead = 2 * DAY

/** Returns whether an event is dated, or was written, after today. */
export function isFromTheFuture({ transaction }: FeedEvent, now: Date): boolean {
  const limit = now.getTime() + mostAhead
  return [transaction.datetime, transaction.created, transaction.updated].some(
    (moment) => instantOf(moment, 'UTC').getTime() > limit,
  )
}
