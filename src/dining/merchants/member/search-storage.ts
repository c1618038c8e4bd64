import { getItem, removeItem, setItem } from '../../../platform/browser/storage.ts'
import { type StorageKey, storageKeys } from '../../../platform/browser/storage-keys.ts'
import { positionLiterals } from '../names.ts'
import { type SearchState, searchAddress } from '../search-address.ts'

/** Search data stored in this browser; it never leaves the device. */
interface Recent {
  what: string[]
  where: string[]
}
const maxRecent = 5

/** Stores the options of a search that had results, to restore them next time. */
export function saveSearch(state: SearchState): void {
  setItem(storageKeys.searchOptions, searchAddress({ ...state, pageNo: 1 }))
}

/** Removes the last search, which the visitor has cleared. */
export function removeSearch(): void {
  removeItem(storageKeys.searchOptions)
}

/** Returns the address of the last search with results; null without one. */
export function lastSearch(): string | null {
  const stored = getItem(storageKeys.searchOptions)
  return stored?.startsWith('/search?') ? stored : null
}

/** Stores what was typed: the location as the last one, and both in the recent lists. */
export function saveTypedSearch({
  location,
  restaurantOrCuisine,
}: {
  location: string
  restaurantOrCuisine: string
}): void {
  const literal = positionLiterals.some((name) => name === location)
  const where = literal ? '' : location.trim()
  if (where !== '') setItem(storageKeys.searchLocation, where)
  const before = recentSearches()
  const recent = { what: added(before.what, restaurantOrCuisine.trim()), where: added(before.where, where) }
  setItem(storageKeys.recentSearches, JSON.stringify(recent))
}

export function lastLocation(): string {
  return getItem(storageKeys.searchLocation) ?? ''
}

export function recentSearches(): Recent {
  const stored = readStoredJson(storageKeys.recentSearches) as Partial<Record<keyof Recent, unknown>> | null
  return { what: textsOf(stored?.what), where: textsOf(stored?.where) }
}

function textsOf(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : []
}

/** The stored value is not trusted: another version of the app or another script may have written it. */
function readStoredJson(key: StorageKey): unknown {
  try {
    return JSON.parse(getItem(key) ?? 'null')
  } catch {
    return null
  }
}

function added(list: readonly string[], item: string): string[] {
  if (item === '') return [...list]
  const others = list.filter((other) => other.toLowerCase() !== item.toLowerCase())
  return [item, ...others].slice(0, maxRecent)
}

/** Stores the restaurant that was chosen in the list or on the map, which is highlighted on return. */
export function saveSelected(merchantId: string): void {
  setItem(storageKeys.selectedMerchant, merchantId)
}

export interface MapView {
  latitude: number
  longitude: number
  zoom: number
  /** The search whose result was shown. */
  search: string
}
export function saveMapView(view: MapView): void {
  setItem(storageKeys.mapView, JSON.stringify(view))
}

export function lastMapView(): MapView | null {
  const stored = readStoredJson(storageKeys.mapView) as Partial<MapView> | null
  const { latitude, longitude, zoom, search } = stored ?? {}
  if (typeof latitude !== 'number' || typeof longitude !== 'number' || typeof zoom !== 'number') return null
  return typeof search === 'string' ? { latitude, longitude, zoom, search } : null
}
