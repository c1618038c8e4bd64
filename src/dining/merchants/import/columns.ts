import {
  readClock,
  readCoordinate,
  readDay,
  readFlag,
  readJson,
  readList,
  readPrice,
  readState,
  readWebAddress,
  readWeekdays,
  readWhole,
  readZip,
  wordReader,
} from '../../../platform/files/cells.ts'
import type { Column } from '../../../platform/files/columns.ts'
import { locate } from '../../../programs/places/service.ts'
import { features, meals, reservationProviders } from '../names.ts'
import { milesBetween } from '../rules.ts'

const whole = 'is not a whole number of 0 or more'
const cents = 'is not a number of cents; write 8000 for $80.00'
const day = 'is not a day; write 2026-01-15 or 1/15/2026'
const time = 'is not a time; write 17:00 or 5:00 PM'
const web = 'is not a web address; write https://www.example.com'

const highlights = ['comingSoon', 'leavingSoon', 'new', 'acclaimed']
const offerTypes = ['Unlimited', 'Limited']

/** Returns a reader of lists of known words; undefined when one is unknown. */
function readWords(words: readonly string[]) {
  const read = wordReader(words)
  return (text: string) => {
    const found = readList(text).map(read)
    return found.includes(undefined) ? undefined : found
  }
}

/** Miles from the middle of a city within which its ZIP codes lie. */
const cityRadius = 40

/** Returns whether a ZIP code is in the row's state and near its city. */
function isZipOfRow(zip: string, row: Readonly<Record<string, unknown>>): boolean {
  const state = readState(String(row.state ?? '').trim())
  const [place, city] = [locate(zip), locate(`${row.city}, ${state}`)]
  if (!state || !place?.label.endsWith(`, ${state} ${zip}`) || !city) return false
  return milesBetween(place, city) <= cityRadius
}

/** The columns of a file of restaurants; docs/restaurants.md describes them. */
export const merchantColumns: readonly Column[] = [
  { name: 'sourceId', also: ['id'], required: true },
  { name: 'name', required: true },
  { name: 'description' },
  { name: 'cuisines', also: ['cuisine'], read: readList },
  { name: 'features', isList: true, read: readWords(features), expected: `must be a list of ${features.join(', ')}` },
  { name: 'meals', isList: true, read: readWords(meals), expected: `must be a list of ${meals.join(', ')}` },
  { name: 'takeout', read: readFlag, expected: 'is neither true nor false' },
  { name: 'priceRange', also: ['price'], read: readPrice, expected: 'is no price level; write 1 to 4, or $ to $$$$' },
  { name: 'highlight', read: wordReader(highlights), expected: `is none of ${highlights.join(', ')}` },
  { name: 'acclaimedLevel', read: readWhole, expected: 'is not 0, 1 or 2' },
  { name: 'campaignCodes', also: ['campaignCode'], read: readList },
  { name: 'address1', also: ['address', 'street'] },
  { name: 'city', required: true },
  { name: 'state', required: true, read: readState, expected: 'is no state of the US; write NY or New York' },
  {
    name: 'zipCode',
    also: ['zip', 'postcode', 'postalCode'],
    read: (text, row) => readZip(text, (zip) => isZipOfRow(zip, row)),
    expected: 'is not a ZIP code; write five digits',
  },
  { name: 'neighborhood' },
  { name: 'borough' },
  {
    name: 'latitude',
    also: ['lat'],
    required: true,
    read: readCoordinate,
    expected: 'is not a latitude in the US; write degrees, like 40.75',
  },
  {
    name: 'longitude',
    also: ['lng', 'lon', 'long'],
    required: true,
    read: readCoordinate,
    expected: 'is not a longitude in the US; write degrees, like -73.99',
  },
  { name: 'timeZone', expected: 'is not a time zone; write America/New_York' },
  { name: 'phone', also: ['phoneNumber', 'telephone'] },
  { name: 'website', also: ['url', 'web'], read: readWebAddress, expected: web },
  { name: 'menuUrl', also: ['menuAddress'], read: readWebAddress, expected: web },
  { name: 'participating', read: readFlag, expected: 'is neither true nor false' },
  { name: 'joinedOn', also: ['joined', 'joinDate'], read: readDay, expected: day },
  { name: 'reservationProvider', read: wordReader(reservationProviders), expected: 'is neither book nor http' },
  { name: 'reservationRef' },
  ...['rating', 'hours', 'menus', 'events', 'ordering', 'tables', 'reviews', 'offers'].map((name) => ({
    name,
    read: readJson,
  })),
  { name: 'offerType', read: wordReader(offerTypes), expected: 'is neither Unlimited nor Limited' },
  { name: 'offerDays', isList: true, read: readWeekdays, expected: 'is not a list of weekdays; write mon;tue;wed' },
  { name: 'offerStartsOn', also: ['offerStart'], read: readDay, expected: day },
  { name: 'offerEndsOn', also: ['offerEnd'], read: readDay, expected: day },
  { name: 'offerMinSpendCents', read: readWhole, expected: cents },
  { name: 'offerMaxSpendCents', read: readWhole, expected: cents },
  { name: 'offerMaxVisitsPerMonth', read: readWhole, expected: whole },
  { name: 'offerMaxMonthlySpendCents', read: readWhole, expected: cents },
  {
    name: 'offerRatePercent',
    read: readWhole,
    expected: 'is not a percentage from 0 to 1000; write 150 for one and a half times',
  },
  { name: 'offerFrom', read: readClock, expected: time },
  { name: 'offerUntil', read: readClock, expected: time },
]
