import { usStates } from '../us-states.ts'
import { toZip5 } from '../zip-code.ts'

// Each function reads a cell as people and spreadsheet programs write it. It returns undefined for a text that does not
// say one thing only.

/** `true`, `TRUE`, `yes`, `Y`, `1`, `x` and their opposites. */
export function readFlag(text: string): boolean | undefined {
  const word = text.toLowerCase()
  if (['true', 'yes', 'y', '1', 'x'].includes(word)) return true
  return ['false', 'no', 'n', '0'].includes(word) ? false : undefined
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
// Spreadsheets count days from here; 1900 was no leap year, which they do not know.
const dayZero = Date.UTC(1899, 11, 30)

/**
 * A day as `2026-01-15`: from ISO, from the US order (`1/15/2026`, `1/15/26`), with the name of the month
 * (`Jan 15, 2026`, `15-Jan-2026`), or from a spreadsheet's number of days. A time of midnight may follow.
 */
export function readDay(text: string): string | undefined {
  const day = text.replace(/[T ]0?0:00(:00(\.0+)?)?Z?$|[T ]12:00(:00)? AM$/i, '')
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(day)
  if (iso) return dayOf(iso[1], iso[2], iso[3])
  const us = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})$/.exec(day)
  // Other countries write the day first, with dots or dashes, so that only a slash says which number is the month.
  if (us) return day.includes('/') ? dayOf(us[3], us[1], us[2]) : undefined
  const named = /^([a-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})$/i.exec(day)
  if (named) return dayOf(named[3], monthOf(named[1]), named[2])
  const dayFirst = /^(\d{1,2})[- ]([a-z]{3})[a-z]*[- ](\d{4}|\d{2})$/i.exec(day)
  if (dayFirst) return dayOf(dayFirst[3], monthOf(dayFirst[2]), dayFirst[1])
  if (/^[2-7]\d{4}(\.0+)?$/.test(day)) return new Date(dayZero + Number(day) * 86_400_000).toISOString().slice(0, 10)
  return undefined
}

const monthOf = (name = ''): string => String(monthNames.indexOf(name.toLowerCase()) + 1)

function dayOf(year = '', month = '', day = ''): string | undefined {
  const [y, m, d] = [year.length === 2 ? 2000 + Number(year) : Number(year), Number(month), Number(day)]
  const date = new Date(Date.UTC(y, m - 1, d))
  const exists = date.getUTCFullYear() === y && date.getUTCMonth() === m - 1 && date.getUTCDate() === d
  return exists ? date.toISOString().slice(0, 10) : undefined
}

/** A time of the day as `17:30`: from 24 hours (`9:00`, `17:30:00`) or 12 (`5:30 PM`, `5pm`, `12 a.m.`). */
export function readClock(text: string): string | undefined {
  const match = /^(\d{1,2})(?::(\d{2}))?(?::\d{2}(?:\.0+)?)? ?([ap])?\.?(m)?\.?$/i.exec(text)
  if (!match) return undefined
  const [, hours = '', minutes, half, m] = match
  if (Boolean(half) !== Boolean(m) || (!half && minutes === undefined)) return undefined
  let hour = Number(hours)
  if (half) {
    if (hour < 1 || hour > 12) return undefined
    hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  }
  if (hour > 23 || Number(minutes ?? 0) > 59) return undefined
  return `${String(hour).padStart(2, '0')}:${minutes ?? '00'}`
}

/** A number with a decimal point or comma: `-73.99`, `-73,99`, `1,234.5`, `1234`. `1,234` says two things. */
export function readNumber(text: string): number | undefined {
  if (/^[+-]?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (/^[+-]?\d{1,3}(,\d{3})+\.\d+$/.test(text)) return Number(text.replaceAll(',', ''))
  const decimals = /^([+-]?\d+),(\d+)$/.exec(text)
  return decimals && decimals[2]?.length !== 3 ? Number(`${decimals[1]}.${decimals[2]}`) : undefined
}

/** A coordinate: as a number, with a decimal comma of any length, because no coordinate has thousands. */
export const readCoordinate = (text: string): number | undefined =>
  readNumber(text.replace(/^([+-]?\d+),(\d+)$/, '$1.$2'))

/** An amount of dollars as a decimal text: `42.10`, `$1,080.50`, `42,10`, `(12.00)` for a negative one. */
export function readAmount(text: string): string | undefined {
  const [, open, digits = '', close] = /^(\()?(.*?)(\))?$/.exec(text.replace(/[$\s]/g, '')) ?? []
  const amount = Boolean(open) === Boolean(close) ? readNumber(digits) : undefined
  if (amount === undefined) return undefined
  const decimals = /[.,](\d+)$/.exec(digits)?.[1] ?? ''
  return `${open && amount > 0 ? '-' : ''}${amount.toFixed(decimals.length)}`
}

/** A day with a time, as `2026-03-10T19:30:00`: an ISO text as it is, or `3/10/2026 7:30 PM`. */
export function readMoment(text: string): string | undefined {
  if (/^\d{4}-\d{2}-\d{2}T/.test(text)) return text
  const [, first = '', second = ''] = /^(\S+) (.+)$/.exec(text) ?? []
  const [day, time] = [readDay(first), readClock(second)]
  if (day === undefined || time === undefined) return undefined
  return `${day}T${time}:${/:\d{2}:(\d{2})/.exec(second)?.[1] ?? '00'}`
}

/** Digits of which a spreadsheet has removed the leading zeros: `2` is `0002` of four. */
export const readDigits = (length: number) => (text: string) =>
  /^\d+$/.test(text) && text.length <= length ? text.padStart(length, '0') : undefined

/** A whole number: `2`, `2.0`, `1,200`. */
export function readWhole(text: string): number | undefined {
  const plain = text.replace(/\.0+$/, '')
  if (/^\d+$/.test(plain)) return Number(plain)
  return /^\d{1,3}(,\d{3})+$/.test(plain) ? Number(plain.replaceAll(',', '')) : undefined
}

/** A level that may be drawn: `2` and `$$` are both 2. */
export const readPrice = (text: string): number | undefined => (/^\$+$/.test(text) ? text.length : readWhole(text))

const stateNames =
  'Alabama,Alaska,Arizona,Arkansas,California,Colorado,Connecticut,Delaware,District of Columbia,Florida,Georgia,Hawaii,Idaho,Illinois,Indiana,Iowa,Kansas,Kentucky,Louisiana,Maine,Maryland,Massachusetts,Michigan,Minnesota,Mississippi,Missouri,Montana,Nebraska,Nevada,New Hampshire,New Jersey,New Mexico,New York,North Carolina,North Dakota,Ohio,Oklahoma,Oregon,Pennsylvania,Rhode Island,South Carolina,South Dakota,Tennessee,Texas,Utah,Vermont,Virginia,Washington,West Virginia,Wisconsin,Wyoming,American Samoa,Guam,Northern Mariana Islands,Puerto Rico,Virgin Islands'.split(
    ',',
  )
const stateCodes =
  'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY AS GU MP PR VI'.split(
    ' ',
  )
const codes = new Map(stateNames.map((name, index) => [plainWord(name), stateCodes[index]]))

/** The code of a state: from the code in any case, or from the name. */
export function readState(text: string): string | undefined {
  const code = text.replaceAll('.', '').toUpperCase()
  return usStates.includes(code) ? code : codes.get(plainWord(text))
}

/**
 * A ZIP code of five digits: also from ZIP+4. `agrees` says whether a ZIP code lies where the rest of the row says: a
 * spreadsheet removes the zero of `02134`, and only then it is put back.
 */
export function readZip(text: string, agrees: (zip: string) => boolean): string | undefined {
  const zip = toZip5(text.replace(/\.0+$/, ''))
  if (/^\d{5}$/.test(zip)) return zip
  const padded = /^\d{3,4}(-\d{4})?$/.test(zip)
    ? zip.slice(0, zip.includes('-') ? zip.indexOf('-') : undefined).padStart(5, '0')
    : ''
  return padded !== '' && agrees(padded) ? padded : undefined
}

/** The parts of a list, separated by semicolons, commas or bars. */
export const readList = (text: string): string[] =>
  text
    .split(/[;,|\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Returns a reader of words of a list: `Outdoor seating` and `outdoor_seating` are `outdoorSeating`. */
export function wordReader(words: readonly string[]): (text: string) => string | undefined {
  const known = new Map(words.map((word) => [plainWord(word), word]))
  return (text) => known.get(plainWord(text))
}

const weekdayNames = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** Weekdays as numbers from 0 for Sunday: `mon;tue`, `Monday, Tuesday`, `1;2`, `Mon-Fri`, `Fri–Sun`, `daily`. */
export function readWeekdays(text: string): number[] | undefined {
  const days: number[] = []
  for (const part of readList(text.replaceAll('/', ','))) {
    if (/^(daily|every day|all)$/i.test(part)) return [0, 1, 2, 3, 4, 5, 6]
    const [first, last = first, ...more] = part.split(/\s*[-–]\s*|\s+to\s+/).map(weekdayOf)
    if (first === undefined || last === undefined || more.length > 0) return undefined
    for (let day = first; ; day = (day + 1) % 7) {
      if (!days.includes(day)) days.push(day)
      if (day === last) break
    }
  }
  return days.length > 0 ? days : undefined
}

function weekdayOf(text: string): number | undefined {
  if (/^[0-6]$/.test(text)) return Number(text)
  const word = text.toLowerCase().replace(/\.$/, '')
  if (word.length < 3) return undefined
  const index = weekdayNames.findIndex((name) => name.startsWith(word.replace(/s$/, '')) || `${name}s` === word)
  return index < 0 ? undefined : index
}

/** An address of the web that begins with https: also from `www.example.com` and from http. */
export function readWebAddress(text: string): string | undefined {
  const address = /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[\w.-]+:\d/.test(text) ? text : `https://${text}`
  const url = URL.parse(address.replace(/^http:/i, 'https:'))
  return url?.protocol === 'https:' && url.hostname.includes('.') ? address.replace(/^http:/i, 'https:') : undefined
}

/** A text as JSON; a text that is none stays as it is. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A word without case, spaces and signs, as headers are compared. */
export function plainWord(text: string): string {
  return text.toLowerCase().replace(/[^\p{Letter}\p{Number}]/gu, '')
}
