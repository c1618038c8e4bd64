import { type Bounds, type Gazetteer, type Place, readGazetteer } from './gazetteer.ts'
import { placeKey, territories, unlistedZip } from './rules.ts'

export type { Place }

let gazetteer: Gazetteer | undefined

function places(): Gazetteer {
  gazetteer ??= readGazetteer()
  return gazetteer
}

/** Reads the gazetteer now instead of at the first query. */
export function warmPlaces(): void {
  places()
}

/** Yields every ZIP code with its point. */
export function allZips(): ReturnType<Gazetteer['zips']> {
  return places().zips()
}

/** Returns true for a five-digit US ZIP code, including territories and armed forces. */
export function isKnownZip(zip: string): boolean {
  return /^\d{5}$/.test(zip) && (places().zip(zip) !== undefined || unlistedZip.test(zip))
}

/** Number of ZIP codes from which a city's name alone refers to the city, even if a state has the same name. */
const largeCity = 20

/** Finds a typed location: a ZIP code anywhere in the text, else a city with or without its state, else a state. */
export function locate(text: string): Place | undefined {
  const zip = /\b(\d{5})(?:-\d{4})?\b/.exec(text)?.[1]
  const byZip = zip && places().zip(zip)
  if (byZip) return byZip
  const territory = findTerritory(text, zip)
  if (territory) return territory
  const city = places().city(text)
  const state = places().state(text)
  return state && (city?.zips ?? 0) < largeCity ? state : (city ?? state)
}

/** Finds a territory by one of its ZIP codes, its name, or its code after the name of a city. */
function findTerritory(text: string, zip: string | undefined): Place | undefined {
  const key = placeKey(text)
  const found = territories.find(
    ({ name, code, zips }) =>
      (zip !== undefined && zips.test(zip)) ||
      key === placeKey(name) ||
      new RegExp(`, *${code}$`, 'i').test(text.trim()),
  )
  return found && { label: found.name, state: found.code, latitude: found.latitude, longitude: found.longitude }
}

/** Returns the name of a state by its two-letter code, also where a city has that name. */
export function stateName(code: string): string | undefined {
  return places().state(code)?.label
}

/** Returns names to label a map with, larger cities first. */
export function placesWithin(bounds: Bounds, limit: number): Place[] {
  return places().within(bounds, limit)
}

/**
 * Returns up to `limit` labels that begin with the typed text; none below two characters. States are included from
 * three letters, before the cities, unless the name alone refers to a large city.
 */
export function suggestPlaces(text: string, limit = 8): string[] {
  const typed = text.trim()
  if (typed.length < 2) return []
  const states = typed.length > 2 ? places().suggestStates(typed) : []
  const meant = states.filter((name) => locate(name)?.state !== undefined)
  if (typed.length > 2)
    meant.push(...territories.flatMap(({ name }) => (placeKey(name).startsWith(placeKey(typed)) ? [name] : [])))
  return [...new Set([...meant, ...places().suggest(text, limit)])].slice(0, limit)
}
