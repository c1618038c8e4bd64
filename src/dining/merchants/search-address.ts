import { toQueryString } from '../../platform/call.ts'
import { sorts } from './names.ts'

const listNames = ['benefitsFor', 'features', 'mealsServed', 'priceRange'] as const
const switchNames = ['acclaimed', 'isNew', 'reservations'] as const
const textNames = [
  'campaignCode',
  'location',
  'latitude',
  'longitude',
  'radius',
  'restaurantOrCuisine',
  'sortBy',
] as const

/** Search parameters of an address: the only codec between addresses and the search call. */
export interface SearchState {
  campaignCode: string
  location: string
  /** With "Current Map View": the center of the map and its radius in miles. */
  latitude: string
  longitude: string
  radius: string
  restaurantOrCuisine: string
  sortBy: string
  pageNo: number
  acclaimed: boolean
  isNew: boolean
  reservations: boolean
  benefitsFor: string[]
  features: string[]
  mealsServed: string[]
  priceRange: string[]
}

/** A search without filters. */
export const noFilters = {
  acclaimed: false,
  isNew: false,
  reservations: false,
  benefitsFor: [],
  features: [],
  mealsServed: [],
  priceRange: [],
  pageNo: 1,
} satisfies Partial<SearchState>

/** Resets the location of a search with everything that depends on it. */
export const noPlace = {
  location: '',
  latitude: '',
  longitude: '',
  radius: '',
  pageNo: 1,
} satisfies Partial<SearchState>

/** Reads a search from an address; missing values and an unknown order are empty. The server validates the rest. */
export function readSearch(search: URLSearchParams): SearchState {
  const texts = Object.fromEntries(textNames.map((name) => [name, search.get(name) ?? '']))
  const lists = Object.fromEntries(listNames.map((name) => [name, search.getAll(name)]))
  const switches = Object.fromEntries(switchNames.map((name) => [name, search.get(name) === 'true']))
  return {
    ...texts,
    sortBy: sorts.find((name) => name === search.get('sortBy')) ?? '',
    pageNo: Math.max(1, Math.trunc(Number(search.get('pageNo'))) || 1),
    ...lists,
    ...switches,
  } as SearchState
}

/** Returns the fields that are set, as the query of the search call. */
export function queryOf(state: SearchState): Record<string, unknown> {
  const entries = Object.entries(state).filter(([name, value]) => {
    if (Array.isArray(value)) return value.length > 0
    return value !== '' && value !== false && !(name === 'pageNo' && value === 1)
  })
  return Object.fromEntries(entries)
}

/** Returns the canonical address of a search. */
export function searchAddress(state: SearchState): string {
  const search = toQueryString(queryOf(state))
  return search === '' ? '/search' : `/search?${search}`
}

/** Returns how many filters are set; a sort order counts as one. */
export function filterCount(state: SearchState): number {
  const lists = listNames.reduce((sum, name) => sum + state[name].length, 0)
  return lists + switchNames.filter((name) => state[name]).length + (state.sortBy === '' ? 0 : 1)
}

/** Returns true when an address has no search parameters. */
export function isBare(state: SearchState): boolean {
  return searchAddress(state) === '/search'
}

/** Returns the search without one condition, given by its parameter name. `radius` becomes 100 miles instead. */
export function without(state: SearchState, name: string): SearchState {
  if (name === 'radius') return { ...state, radius: '100', pageNo: 1 }
  const empty = (listNames as readonly string[]).includes(name)
    ? []
    : (switchNames as readonly string[]).includes(name)
      ? false
      : ''
  return { ...state, [name]: empty, pageNo: 1 }
}
