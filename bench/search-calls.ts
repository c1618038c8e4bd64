import { Random } from '../src/platform/random.ts'
import { cuisines, first, second, syllables } from './generate-records.ts'

/** More than the server caches. */
const distinct = 5000
const api = '/api/v2/Merchants'
const near = `${api}/Search?location=10001`

const pathOf = (call: string, values: Record<string, string | number>) =>
  `${api}/${call}?${new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)]))}`

/**
 * Returns the addresses of each kind of call. Those of "again" and of a constant response are one each; all others are
 * different, so that none is cached. Texts are different, too, except where only the place differs.
 */
export function searchCalls(restaurants: number): [string, string[]][] {
  const random = new Random(20_261_123)
  const coined = () => random.some(syllables, 0.25).join('') || 'ko'
  const typo = (word: string) => {
    const at = random.int(1, word.length - 2)
    return word.slice(0, at) + word.slice(at + 1)
  }
  const place = () => ({ location: '10001', radius: 25 + random.int(0, 1e9) / 1e10 })
  const ranked = { ...place(), sortBy: 'relevance' }
  const each = (call: string, values: (index: number) => Record<string, string | number>): string[] =>
    Array.from({ length: distinct }, (_, index) => pathOf(call, values(index)))
  const text = (...words: string[]) => ({ restaurantOrCuisine: words.join(' ') })
  const name = () => text(random.pick(first), coined(), random.pick(second))
  const filtered = () => ({ ...place(), features: 'takeout', priceRange: random.int(1, 4) })
  return [
    ['a constant response', ['/api/DefaultUserLocation']],
    ['near a ZIP code, again', [near]],
    ['near a ZIP code', each('Search', place)],
    ['a cuisine near a city', each('Search', () => ({ ...place(), location: 'Chicago, IL', ...text('sushi') }))],
    ['a text near a ZIP code', each('Search', () => ({ ...place(), ...name() }))],
    ['a text near it, by relevance', each('Search', () => ({ ...ranked, ...place(), ...name() }))],
    ['a text only', each('Search', () => ({ ...name(), pageSize: 10, pageNo: 1 }))],
    ['an address', each('Search', () => text(String(random.int(0, restaurants - 1)), 'main street'))],
    [
      'a cuisine, filters, by rating',
      each('Search', () => ({ ...filtered(), ...text(random.pick(cuisines)), sortBy: 'rating' })),
    ],
    ['filters, by rating', each('Search', () => ({ ...filtered(), sortBy: 'rating' }))],
    ['a cuisine, by name', each('Search', () => ({ ...place(), ...text(random.pick(cuisines)), sortBy: 'name' }))],
    ['a cuisine, newest', each('Search', () => ({ ...place(), ...text(random.pick(cuisines)), sortBy: 'newest' }))],
    ['a typo, same text', each('Search', () => ({ ...place(), ...text('lantren piza') }))],
    [
      'typos',
      each('Search', () => ({ ...place(), ...text(typo(random.pick(first)), coined(), typo(random.pick(second))) })),
    ],
    ['facets of a place', each('Facets', place)],
    ['facets of a text', each('Facets', () => ({ ...place(), ...name() }))],
    [
      'suggestions',
      each('Suggest', () => ({ query: `${random.pick(first)} ${coined()}`.slice(0, random.int(3, 14)) })),
    ],
  ]
}
