import { type LocalKey, localKeys } from '../../../platform/browser/local-keys.ts'
import { recall, remember } from '../../../platform/browser/storage.ts'
import { positionLiterals } from '../contract.ts'
import { type SearchState, searchAddress } from '../search-address.ts'

/** Search data stored in this browser; it never leaves the device. */
interface Recent {
  what: string[]
  where: string[]
}
const mostRecent = 5

/** Stores the options of a search that had results, to restore them next time. */
export function rememberSearch(state: SearchState): void {
  remember(localKeys.searchOptions, searchAddress({ ...state, pageNo: 1 }))
}

/** Returns the address of the last search with results; null without one. */
export function lastSearch(): string | null {
  const kept = recall(localKeys.searchOptions)
  return kept?.startsWith('/search?') ? kept : null
}

/** Stores what was typed: the location as the last one, and both in the recent lists. */
export function rememberTyped({
  location,
  restaurantOrCuisine,
}: {
  location: string
  restaurantOrCuisine: string
}): void {
  const literal = positionLiterals.some((name) => name === location)
  const where = literal ? '' : location.trim()
  if (where !== '') remember(localKeys.searchLocation, where)
  const before = recentSearches()
  const recent = { what: added(before.what, restaurantOrCuisine.trim()), where: added(before.where, where) }
  remember(localKeys.recentSearches, JSON.stringify(recent))
}

export function lastLocation(): string {
  return recall(localKeys.searchLocation) ?? ''
}

export function recentSearches(): Recent {
  const kept = recallJson(localKeys.recentSearches) as Partial<Record<keyof Recent, unknown>> | null
  return { what: textsOf(kept?.what), where: textsOf(kept?.where) }
}

function textsOf(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : []
}

/** The stored value is not trusted: another version of the app or another script may have written it. */
function recallJson(key: LocalKey): unknown {
  try {
    return JSON.parse(recall(key) ?? 'null')
  } catch {
    return null
  }
}

function added(list: readonly string[], item: string): string[] {
  if (item === '') return [...list]
  const others = list.filter((other) => other.toLowerCase() !== item.toLowerCase())
  return [item, ...others].slice(0, mostRecent)
}

export interface MapView {
  latitude: number
  longitude: number
  zoom: number
}
export function rememberMapView(view: MapView): void {
  remember(localKeys.mapView, JSON.stringify(view))
}

export function lastMapView(): MapView | null {
  const kept = recallJson(localKeys.mapView) as Partial<MapView> | null
  const { latitude, longitude, zoom } = kept ?? {}
  if (typeof latitude !== 'number' || typeof longitude !== 'number' || typeof zoom !== 'number') return null
  return { latitude, longitude, zoom }
}
