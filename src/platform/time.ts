/** Durations in milliseconds. */
export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Local date and time of an instant in an IANA time zone. `weekday` is 0 for Sunday. */
export interface LocalMoment {
  date: string
  weekday: number
  minutes: number
}

/** Returns the local (wall-clock) time; `timeZone` is an IANA name. Throws RangeError for unknown time zones. */
export function localMoment(instant: Date, timeZone: string): LocalMoment {
  const ms = instant.getTime()
  const local = new Date(ms + offsetAt(ms, timeZone))
  return {
    date: local.toISOString().slice(0, 10),
    weekday: local.getUTCDay(),
    minutes: local.getUTCHours() * 60 + local.getUTCMinutes(),
  }
}

/** Returns the calendar day of an instant in an IANA time zone, `YYYY-MM-DD`. */
export function dayIn(instant: Date, timeZone: string): string {
  return localMoment(instant, timeZone).date
}

/** Returns the instant at which a day begins in a time zone; where the clocks skip midnight, the first one of the day. */
export function startOfDay(date: string, timeZone: string): Date {
  return toInstant(date, 0, timeZone) ?? (toInstant(date, 60, timeZone) as Date)
}

/** Returns whether a text is the name of an IANA time zone. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** UTC offsets change only at quarters of an hour (in UTC): within a quarter, an offset is constant. */
const quarter = 15 * MINUTE
/** Maximum number of cached offsets per time zone. */
const maxCachedOffsets = 10_000
const offsets = new Map<string, Map<number, number>>()

/**
 * Returns the UTC offset in milliseconds. Intl is slow, so it is called once per quarter of an hour. The cache is a Map
 * that evicts its oldest offset, because this file is in the browser's bundle: lru-cache would add 6 kB (gzip) there, and
 * a hit would take 220 ns instead of 150 ns.
 */
export function offsetAt(ms: number, timeZone: string): number {
  const known = offsets.get(timeZone) ?? new Map<number, number>()
  const at = Math.floor(ms / quarter)
  let offset = known.get(at)
  if (offset === undefined) {
    if (known.size >= maxCachedOffsets) known.delete(known.keys().next().value as number)
    offset = localTimeAsUtc(at * quarter, timeZone) - at * quarter
    known.set(at, offset)
    offsets.set(timeZone, known)
  }
  return offset
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns the local time, encoded as if it were UTC. */
function localTimeAsUtc(ms: number, timeZone: string): number {
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
 * Returns the instant of a local date and minutes since midnight (0 to 1439). Null when the local time does not exist
 * (skipped hour in spring); the first instant when it occurs twice (autumn).
 */
export function toInstant(date: string, minutes: number, timeZone: string): Date | null {
  const shown = Date.parse(`${date}T00:00:00Z`) + minutes * MINUTE
  // Only the offsets of the day before and after can apply; the larger one gives the earlier instant.
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

/** Returns whether a text is a calendar date: `2026-02-28`. */
export function isDay(text: string): boolean {
  return /^[1-9]\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text
}

/**
 * Returns whether a text is a calendar date from 1900 to 2199. Time zone data is reliable for these years; before them,
 * UTC offsets include odd seconds.
 */
export function isSupportedDay(text: string): boolean {
  return isDay(text) && text >= '1900' && text < '2200'
}

/** Returns whether a text is a month: `2026-02`. */
export function isMonth(text: string): boolean {
  return isDay(`${text}-01`)
}

/** 1110 is `18:30`. */
export function toClock(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

/** `18:30` is 1110; hours may go past 24. */
export function parseClock(clock: string): number {
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  return hour * 60 + minute
}

/** `17:30` becomes `5:30 PM` and `17:00` becomes `5 PM`; hours from 24 on are in the early morning of the next day. */
export function formatClock(time: string): string {
  const minutes = parseClock(time)
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60]
  const suffix = hour % 24 < 12 ? 'AM' : 'PM'
  return `${hour % 12 || 12}${minute ? `:${String(minute).padStart(2, '0')}` : ''} ${suffix}`
}
