import { DAY, offsetAt } from '../../kit/time.ts'
import type { FeedEvent } from './contract.ts'

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

/** How far an event may be dated ahead of the clock: local times without a zone are up to half a day off. */
const mostAhead = 2 * DAY

/** Whether an event says that it happened, or was written, after today. */
export function isFromTheFuture({ transaction }: FeedEvent, now: Date): boolean {
  const limit = now.getTime() + mostAhead
  return [transaction.datetime, transaction.created, transaction.updated].some(
    (moment) => instantOf(moment, 'UTC').getTime() > limit,
  )
}
