import { localMoment, MINUTE } from '../kit/time.ts'

// Time zones differ by whole quarters of an hour.
const quarter = 15 * MINUTE
const known = new Map<string, string>()

/** The quarter of an hour of an instant, counted from 1970: within one, no date changes anywhere. */
export function quarterOf(now: Date): number {
  return Math.floor(now.getTime() / quarter)
}

/** The calendar date in any IANA time zone at an instant. Formatting a date is slow; a quarter of an hour shares it. */
export function localDates(now: Date): (timeZone: string) => string {
  const part = quarterOf(now)
  return (timeZone) => {
    const key = `${part} ${timeZone}`
    let date = known.get(key)
    if (date === undefined) {
      if (known.size >= 500) known.clear()
      date = localMoment(now, timeZone).date
      known.set(key, date)
    }
    return date
  }
}
