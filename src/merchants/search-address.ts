import { searchOf } from '../kit/call.ts'

const listNames = ['benefitsFor', 'features', 'mealsServed', 'priceRange'] as const
const switchNames = ['acclaimed', 'isNew', 'reservations'] as const

/** A search as its address carries it: the one codec between addresses and the search call. */
export interface SearchState {
  location: string
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

/** Reads a search from an address; what is missing is empty, what is broken is left for the server to refuse. */
export function readSearch(search: URLSearchParams): SearchState {
  const lists = Object.fromEntries(listNames.map((name) => [name, search.getAll(name)]))
  const switches = Object.fromEntries(switchNames.map((name) => [name, search.get(name) === 'true']))
  return {
    location: search.get('location') ?? '',
    restaurantOrCuisine: search.get('restaurantOrCuisine') ?? '',
    sortBy: search.get('sortBy') ?? '',
    pageNo: Math.max(1, Math.trunc(Number(search.get('pageNo'))) || 1),
    ...lists,
    ...switches,
  } as SearchState
}

/** The fields that are set: the query of the search call. */
export function queryOf(state: SearchState): Record<string, unknown> {
  const entries = Object.entries(state).filter(([name, value]) => {
    if (Array.isArray(value)) return value.length > 0
    return value !== '' && value !== false && !(name === 'pageNo' && value === 1)
  })
  return Object.fromEntries(entries)
}

/** The canonical address of a search. */
export function searchAddress(state: SearchState): string {
  const search = searchOf(queryOf(state))
  return search === '' ? '/search' : `/search?${search}`
}
