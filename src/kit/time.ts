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

/** Where the hands of a clock on the wall stand; `timeZone` is an IANA name, unknown ones throw RangeError. */
export function localMoment(instant: Date, timeZone: string): LocalMoment {
  const ms = instant.getTime()
  const wall = new Date(ms + offsetAt(ms, timeZone))
  return {
    date: wall.toISOString().slice(0, 10),
    weekday: wall.getUTCDay(),
    minutes: wall.getUTCHours() * 60 + wall.getUTCMinutes(),
  }
}

/** Clocks are changed at quarters of an hour, in Greenwich too: within one, an offset stays. */
const quarter = 15 * MINUTE
/** So many offsets are remembered of each zone. */
const mostRemembered = 10_000
const offsets = new Map<string, Map<number, number>>()

/** Milliseconds by which the clock on the wall is ahead of Greenwich. Asking Intl is dear, so it is asked once a quarter. */
export function offsetAt(ms: number, timeZone: string): number {
  const known = offsets.get(timeZone) ?? new Map<number, number>()
  const at = Math.floor(ms / quarter)
  let offset = known.get(at)
  if (offset === undefined) {
    if (known.size >= mostRemembered) known.clear()
    offset = wallClock(at * quarter, timeZone) - at * quarter
    known.set(at, offset)
    offsets.set(timeZone, known)
  }
  return offset
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** What the clock on the wall shows, as if it were Greenwich's. */
function wallClock(ms: number, timeZone: string): number {
  const parts = Object.fromEntries(
    formatFor(timeZone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute', number>
  return Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute)
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
  // The offsets of the day before and after are all that can hold here; the larger one gives the earlier instant.
  const candidates = [offsetAt(shown - DAY, timeZone), offsetAt(shown + DAY, timeZone)].sort((a, b) => b - a)
  const found = candidates
    .map((offset) => shown - offset)
    .find((instant) => instant + offsetAt(instant, timeZone) === shown)
  return found === undefined ? null : new Date(found)
}

/** `2026-03-01` and -1 make `2026-02-28`. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10)
}

/** `2026-01` and -1 make `2025-12`. */
export function addMonths(month: string, months: number): string {
  const [year = 0, of = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, of - 1 + months, 1)).toISOString().slice(0, 7)
}

/** Whether a text is a day of the calendar: `2026-02-28`. */
export function isDay(text: string): boolean {
  return /^[1-9]\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text
}

/** Whether a text is a month: `2026-02`. */
export function isMonth(text: string): boolean {
  return isDay(`${text}-01`)
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

/** `17:30` as it is said: `5:30 PM`, and `17:00` as `5 PM`; 24:00 and later are the small hours of the next day. */
export function clockText(time: string): string {
  const minutes = minutesOf(time)
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60]
  const suffix = hour % 24 < 12 ? 'AM' : 'PM'
  return `${hour % 12 || 12}${minute ? `:${String(minute).padStart(2, '0')}` : ''} ${suffix}`
}
