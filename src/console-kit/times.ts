const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** Returns a day (`YYYY-MM-DD`) as text: `Nov 27, 2026`. */
export const dayText = (day: string): string => dayFormat.format(new Date(`${day}T00:00:00Z`))

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns a time in a zone, which it names: `Nov 27, 2026, 9:05 AM CST`. */
export function timeText(at: string | Date, timeZone: string): string {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      month: 'short',
      day: 'numeric',
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZone,
      timeZoneName: 'short',
    })
    formats.set(timeZone, format)
  }
  // The space before AM is a narrow one in some versions of ICU.
  return format.format(new Date(at)).replaceAll('\u202f', ' ')
}

/** Returns the current day (UTC): `2026-11-27`. Settlement and the journal have days of UTC, wherever the operator is. */
export const thisDay = (): string => new Date().toISOString().slice(0, 10)

/** Returns the current month (UTC): `2026-11`. */
export const thisMonth = (): string => thisDay().slice(0, 7)

/** Returns whether a text is a day: `2026-11-27`. February 30 is none. */
export function isDay(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

/** Returns the day of an address, or undefined when it has none, or no possible one. */
export const dayIn = (text: string | undefined): string | undefined =>
  text !== undefined && isDay(text) ? text : undefined

/** Returns the month of an address, or undefined when it has none, or no possible one. */
export const monthIn = (text: string | undefined): string | undefined =>
  text !== undefined && isDay(`${text}-01`) ? text : undefined
