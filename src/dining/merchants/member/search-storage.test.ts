import { beforeEach, expect, test, vi } from 'vitest'
import { readSearch } from '../search-address.ts'
import {
  lastLocation,
  lastSearch,
  recentSearches,
  removeSearch,
  saveSearch,
  saveTypedSearch,
} from './search-storage.ts'

let stored: Map<string, string>

beforeEach(() => {
  stored = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})

const type = (location: string, restaurantOrCuisine = '') => saveTypedSearch({ location, restaurantOrCuisine })

test('the last search is restored at its first page, and nothing else that is stored in its place', () => {
  expect(lastSearch()).toBeNull()
  saveSearch(readSearch(new URLSearchParams('location=10001&sortBy=rating&isNew=true&pageNo=3')))
  expect(lastSearch()).toBe('/search?location=10001&sortBy=rating&isNew=true')
  removeSearch()
  expect(lastSearch()).toBeNull()
  saveSearch(readSearch(new URLSearchParams('location=10001')))
  for (const key of stored.keys()) stored.set(key, 'https://elsewhere.example/search?location=10001')
  expect(lastSearch()).toBeNull()
})

test('the position of the device is neither the last location nor a recent one', () => {
  type(' Chicago, IL ', 'thai')
  type('Current Location', ' Pizza ')
  type('Current Map View')
  expect(lastLocation()).toBe('Chicago, IL')
  expect(recentSearches()).toEqual({ what: ['Pizza', 'thai'], where: ['Chicago, IL'] })
})

test('the five latest searches are stored, each once as it was typed last', () => {
  for (const what of ['pho', 'sushi', 'thai', 'pizza', 'ramen', 'taco', 'Thai']) type('', what)
  expect(recentSearches()).toEqual({ what: ['Thai', 'taco', 'ramen', 'pizza', 'sushi'], where: [] })
})

test('stored texts that cannot be read are ignored', () => {
  type('Chicago, IL', 'thai')
  for (const [text, where] of [
    ['{', []],
    ['null', []],
    ['{"what":"thai","where":[1,"Boston, MA"]}', ['Boston, MA']],
  ] as const) {
    for (const key of stored.keys()) stored.set(key, text)
    expect(recentSearches()).toEqual({ what: [], where })
  }
})
