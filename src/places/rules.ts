import type { Point } from './contract.ts'

/** Where everybody is who cannot be placed: Midtown Manhattan. */
export const defaultPoint: Point = { latitude: 40.7577, longitude: -73.9857 }
/** The city that account pages name when nobody may know where the member is. */
export const defaultCity = 'New York, NY'

/** To two decimals, some 1,100 meters: near enough for dinner, and no address. */
export function rounded({ latitude, longitude }: Point): Point {
  const two = (degrees: number) => Math.round(degrees * 100) / 100
  return { latitude: two(latitude), longitude: two(longitude) }
}

/** Where the places come from; to be shown wherever they are. */
export const attribution = 'GeoNames, CC BY 4.0'

/** Letters and digits only, in lower case, so that "St. Louis" and "saint louis" meet. */
export function placeKey(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f'’]/g, '')
    .replace(/[^a-z0-9 ]+/g, ' ')
    .replace(/\b(saint|sainte|ste)\b/g, 'st')
    .replace(/\bmount\b/g, 'mt')
    .replace(/\bfort\b/g, 'ft')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^[nsew] /, (letter) => compass[letter] ?? letter)
}

const compass: Record<string, string> = { 'n ': 'north ', 's ': 'south ', 'e ': 'east ', 'w ': 'west ' }

/** What people call places that the gazetteer calls otherwise. */
export const aliases: ReadonlyMap<string, string> = new Map([
  ['nyc', 'new york ny'],
  ['new york city', 'new york ny'],
  ['new york', 'new york ny'],
  ['manhattan', 'new york ny'],
  ['manhattan ny', 'new york ny'],
  ['brooklyn', 'brooklyn ny'],
  ['queens', 'jamaica ny'],
  ['queens ny', 'jamaica ny'],
  ['bronx', 'bronx ny'],
  ['the bronx', 'bronx ny'],
  ['staten island', 'staten island ny'],
  ['l a', 'los angeles ca'],
  ['la', 'los angeles ca'],
  ['sf', 'san francisco ca'],
  ['philly', 'philadelphia pa'],
  ['vegas', 'las vegas nv'],
  ['dc', 'washington dc'],
  ['washington d c', 'washington dc'],
])

/**
 * US codes that the gazetteer does not list: the armed forces in Europe, the Americas and the Pacific; Puerto Rico,
 * the Virgin Islands, Guam, the Northern Marianas and American Samoa.
 */
export const unlistedZip = /^(?:(?:09[0-8]|340|96[2-6]|00[6-9]|969)\d{2}|96799)$/
