import { instantOf } from '../../platform/instant.ts'
import { DAY } from '../../platform/time.ts'
import type { FeedEvent } from './contract.ts'

/** How far in the future an event may be dated: local times without an offset are up to half a day off. */
const maxAheadMs = 2 * DAY

/** Returns whether an event is dated, or was written, after today. */
export function isFromTheFuture({ transaction }: FeedEvent, now: Date): boolean {
  const limit = now.getTime() + maxAheadMs
  return [transaction.datetime, transaction.created, transaction.updated].some(
    (moment) => instantOf(moment, 'UTC').getTime() > limit,
  )
}
