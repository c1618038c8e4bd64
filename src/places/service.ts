import { type Gazetteer, type Place, readGazetteer } from './gazetteer.ts'
import { unlistedZip } from './rules.ts'

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

/** Where a typed location is: a ZIP code anywhere in it, else a city with or without its state. */
export function locate(text: string): Place | undefined {
  const zip = /\b(\d{5})(?:-\d{4})?\b/.exec(text)?.[1]
  return (zip && places().zip(zip)) || places().city(text)
}

/** Up to `limit` labels that begin with what was typed; nothing below two characters. */
export function suggestPlaces(text: string, limit = 8): string[] {
  return text.trim().length < 2 ? [] : places().suggest(text, limit)
}
