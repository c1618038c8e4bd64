import { type Bounds, type Gazetteer, type Place, readGazetteer } from './gazetteer.ts'
import { unlistedZip } from './rules.ts'

export type { Place }

let gazetteer: Gazetteer | undefined

function places(): Gazetteer {
  gazetteer ??= readGazetteer()
  return gazetteer
}

/** Reads the gazetteer now rather than at the first question. */
export function warmPlaces(): void {
  places()
}

/** Every ZIP code with its point. */
export function allZips(): ReturnType<Gazetteer['zips']> {
  return places().zips()
}

/** Whether a five-digit code is a US ZIP, those of territories and armed forces included. */
export function zipIsKnown(zip: string): boolean {
  return /^\d{5}$/.test(zip) && (places().zip(zip) !== undefined || unlistedZip.test(zip))
}

/** A city with so many ZIP codes is meant by its name alone, also where a state has the same one. */
const largeCity = 20

/** Where a typed location is: a ZIP code anywhere in it, else a city with or without its state, else a state. */
export function locate(text: string): Place | undefined {
  const zip = /\b(\d{5})(?:-\d{4})?\b/.exec(text)?.[1]
  const byZip = zip && places().zip(zip)
  if (byZip) return byZip
  const city = places().city(text)
  const state = places().state(text)
  return state && (city?.zips ?? 0) < largeCity ? state : (city ?? state)
}

/** Names to put on a map, those of larger cities first. */
export function placesWithin(bounds: Bounds, limit: number): Place[] {
  return places().within(bounds, limit)
}

/**
 * Up to `limit` labels that begin with what was typed; nothing below two characters. A state comes from three letters
 * on, before the cities, unless its name alone means a large city.
 */
export function suggestPlaces(text: string, limit = 8): string[] {
  const typed = text.trim()
  if (typed.length < 2) return []
  const states = typed.length > 2 ? places().suggestStates(typed) : []
  const meant = states.filter((name) => locate(name)?.state !== undefined)
  return [...new Set([...meant, ...places().suggest(text, limit)])].slice(0, limit)
}
