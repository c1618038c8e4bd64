/** Milliseconds, by name. */
export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Local calendar facts of an instant in an IANA time zone. `weekday` is 0 for Sunday. */
export interface LocalMoment {
  date: string
  weekday: number
  minutes: number
}

const formats = new Map<string, Intl.DateTimeFormat>()
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** Where the hands of a clock on the wall stand; `timeZone` is an IANA name, unknown ones throw RangeError. */
export function localMoment(instant: Date, timeZone: string): LocalMoment {
  const parts = Object.fromEntries(
    formatFor(timeZone)
      .formatToParts(instant)
      .map((p) => [p.type, p.value]),
  )
  return {
    date: `${parts.year}-${parts.month}-${parts.day}`,
    weekday: weekdays.indexOf(parts.weekday ?? ''),
    minutes: Number(parts.hour) * 60 + Number(parts.minute),
  }
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      weekday: 'short',
    })
    formats.set(timeZone, format)
  }
  return format
}

/**
 * The instant at which a clock in a time zone shows a date and minutes since midnight (0 to 1439). Null when it never
 * does, in the hour that is left out in spring; in the hour that comes twice in autumn it is the first one.
 */
export function instantOf(date: string, minutes: number, timeZone: string): Date | null {
  const shown = Date.parse(`${date}T00:00:00Z`) + minutes * MINUTE
  const offsetAt = (instant: number) => {
    const there = localMoment(new Date(instant), timeZone)
    return Date.parse(`${there.date}T00:00:00Z`) + there.minutes * MINUTE - instant
  }
  // The offsets of the day before and after are all that can hold here; the larger one gives the earlier instant.
  const candidates = [offsetAt(shown - DAY), offsetAt(shown + DAY)].sort((a, b) => b - a)
  const found = candidates.map((offset) => shown - offset).find((instant) => instant + offsetAt(instant) === shown)
  return found === undefined ? null : new Date(found)
}

/** `2026-03-01` and -1 make `2026-02-28`. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10)
}

/** 1110 is `18:30`. */
export function clockOf(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

/** `18:30` is 1110; hours may go past 24. */
export function minutesOf(clock: string): number {
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  return hour * 60 + minute
}
