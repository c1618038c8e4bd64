import { LRUCache } from 'lru-cache'
import { localMoment, MINUTE } from '../../../platform/time.ts'

// Time zone offsets are multiples of 15 minutes.
const quarterHour = 15 * MINUTE

const dates = new LRUCache<string, string, { now: Date; timeZone: string }>({
  max: 500,
  memoMethod: (_key, _stale, { context: { now, timeZone } }) => localMoment(now, timeZone).date,
})

/** Number of the 15-minute interval since 1970. Within one interval no local date changes in any time zone. */
export function quarterHourOf(now: Date): number {
  return Math.floor(now.getTime() / quarterHour)
}

/**
 * Returns a function that formats the local date of an IANA time zone at an instant. Formatting is slow, so results are
 * cached per 15-minute interval.
 */
export function localDates(now: Date): (timeZone: string) => string {
  const part = quarterHourOf(now)
  return (timeZone) => dates.memo(`${part} ${timeZone}`, { context: { now, timeZone } })
}
