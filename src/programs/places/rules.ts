import type { Point } from './contract.ts'

/** Default position of visitors without a known one: Midtown Manhattan. */
export const defaultPoint: Point = { latitude: 40.7577, longitude: -73.9857 }
/** The city that account pages use when the member's location is unknown. */
export const defaultCity = 'New York, NY'

/** Rounds to two decimals, about 1,100 meters: precise enough for restaurants, but not an address. */
export function rounded({ latitude, longitude }: Point): Point {
  const two = (degrees: number) => Math.round(degrees * 100) / 100
  return { latitude: two(latitude), longitude: two(longitude) }
}

/** Letters and digits in lower case, so that "St. Louis" and "saint louis" have the same key. */
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
    .replace(/^[nsew] /, (direction) => compass[direction] ?? direction)
}

const compass: Record<string, string> = { 'n ': 'north ', 's ': 'south ', 'e ': 'east ', 'w ': 'west ' }

/** Common names of places that the gazetteer lists under other names. */
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
  ['san fran', 'san francisco ca'],
  ['philly', 'philadelphia pa'],
  ['vegas', 'las vegas nv'],
  ['dc', 'washington dc'],
  ['washington d c', 'washington dc'],
])

/**
 * US codes that the gazetteer does not list: the armed forces in Europe, the Americas and the Pacific; Puerto Rico, the
 * Virgin Islands, Guam, the Northern Marianas and American Samoa.
 */
export const unlistedZip = /^(?:(?:09[0-8]|340|96[2-6]|00[6-9]|969)\d{2}|96799)$/

interface Territory extends Point {
  name: string
  code: string
  /** Its ZIP codes. */
  zips: RegExp
}

/** The territories, which the gazetteer does not list: each is searched as a whole, like a state. */
export const territories: readonly Territory[] = [
  { name: 'Puerto Rico', code: 'PR', zips: /^00[679]\d\d$/, latitude: 18.22, longitude: -66.43 },
  { name: 'US Virgin Islands', code: 'VI', zips: /^008\d\d$/, latitude: 18.05, longitude: -64.83 },
  { name: 'Guam', code: 'GU', zips: /^969[1-3]\d$/, latitude: 13.44, longitude: 144.79 },
  { name: 'Northern Mariana Islands', code: 'MP', zips: /^9695\d$/, latitude: 15.19, longitude: 145.75 },
  { name: 'American Samoa', code: 'AS', zips: /^96799$/, latitude: -14.3, longitude: -170.7 },
]
