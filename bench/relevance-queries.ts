import { wordsOf } from '../src/dining/merchants/search/text.ts'
import { Random } from '../src/platform/random.ts'

/** What queries are made from. */
export interface Named {
  name: string
  cuisine: readonly string[]
  city: string
  neighborhood?: string
}

export interface GeneratedQuery {
  text: string
  isRight: (found: Named) => boolean
}

const letters = 'abcdefghijklmnopqrstuvwxyz'
const long = (words: readonly string[], length: number) =>
  words.flatMap((word, index) => (word.length >= length && /^[a-z]+$/.test(word) ? [index] : []))

/** Replaces one word by others. */
function change(words: readonly string[], at: number, to: readonly string[]): string {
  return [...words.slice(0, at), ...to, ...words.slice(at + 1)].join(' ')
}

function misspell(random: Random, word: string): string {
  const at = random.int(1, word.length - 2)
  const [before, letter, after] = [word.slice(0, at), word[at] as string, word.slice(at + 1)]
  const edits = [
    before + after,
    before + letter + letter + after,
    before + random.pick([...letters]) + after,
    before + (after[0] as string) + letter + after.slice(1),
  ]
  return random.pick(edits.filter((edited) => edited !== word))
}

type Make = (random: Random, words: string[], place: Named) => string | null

/** Each kind returns what somebody types who looks for a restaurant; null when its name does not allow it. */
const kinds: Record<string, Make> = {
  'a typo': (random, words) => {
    const at = long(words, 4)
    if (at.length === 0) return null
    const index = random.pick(at)
    return change(words, index, [misspell(random, words[index] as string)])
  },
  'a missing first letter': (random, words) => {
    const at = long(words, 5)
    if (at.length === 0) return null
    const index = random.pick(at)
    return change(words, index, [(words[index] as string).slice(1)])
  },
  'words run together': (random, words) => {
    if (words.length < 2) return null
    const at = random.int(0, words.length - 2)
    if ((words[at] as string).length + (words[at + 1] as string).length < 6) return null
    return [...words.slice(0, at), `${words[at]}${words[at + 1]}`, ...words.slice(at + 2)].join(' ')
  },
  'a word split': (random, words) => {
    const at = long(words, 7)
    if (at.length === 0) return null
    const index = random.pick(at)
    const word = words[index] as string
    const middle = random.int(3, word.length - 3)
    return change(words, index, [word.slice(0, middle), word.slice(middle)])
  },
  'another word order': (_random, words) => (words.length < 2 ? null : words.toReversed().join(' ')),
  'without an apostrophe': (_random, _words, { name }) =>
    /[a-z]['’][a-z]/i.test(name) ? name.replace(/['’]/g, '') : null,
  'an apostrophe as a space': (_random, _words, { name }) =>
    /[a-z]['’][a-z]/i.test(name) ? name.replace(/['’]/g, ' ') : null,
  'the beginning of the last word': (random, words) => {
    const last = words.at(-1) as string
    return last.length < 6 || words.length < 2
      ? null
      : change(words, words.length - 1, [last.slice(0, random.int(4, 5))])
  },
  'with the neighborhood': (_random, words, { neighborhood }) =>
    neighborhood ? `${words.join(' ')} ${neighborhood}` : null,
  'with the city': (_random, words, { city }) => `${words.join(' ')} ${city}`,
}

const squeeze = (text: string) => wordsOf(text).join('')

/**
 * Generates queries of each kind from the names of restaurants. A query that happens to be the name of another one is left
 * out. Any restaurant with the name is right, in the given neighborhood or city where the query has one.
 */
export function generateQueries(places: readonly Named[], seed: number, count: number): Map<string, GeneratedQuery[]> {
  const byName = new Map(places.map((place) => [wordsOf(place.name).join(' '), place]))
  // Chains are as likely as others.
  const distinct = [...byName.values()]
  const random = new Random(seed)
  const queries = new Map<string, GeneratedQuery[]>()
  for (const [kind, make] of Object.entries(kinds)) {
    const list: GeneratedQuery[] = []
    for (let tries = 0; list.length < count && tries < 200 * count; tries++) {
      const place = random.pick(distinct)
      const words = wordsOf(place.name)
      if (words.join('').length < 6) continue
      const text = make(random, words, place)
      if (text === null || (byName.has(text) && text !== words.join(' '))) continue
      list.push({ text, isRight: (found) => isSame(kind, found, place) })
    }
    queries.set(kind, list)
  }
  queries.set('a cuisine in a neighborhood', cuisineQueries(places, random, count))
  return queries
}

function isSame(kind: string, found: Named, place: Named): boolean {
  if (squeeze(found.name) !== squeeze(place.name)) return false
  if (kind === 'with the neighborhood') return found.neighborhood === place.neighborhood
  return kind !== 'with the city' || found.city === place.city
}

function cuisineQueries(places: readonly Named[], random: Random, count: number): GeneratedQuery[] {
  const located = places.filter(({ neighborhood, cuisine }) => neighborhood && cuisine.length > 0)
  return Array.from({ length: located.length > 0 ? count : 0 }, () => {
    const { neighborhood, cuisine } = random.pick(located)
    const wanted = random.pick(cuisine)
    return {
      text: `${wanted} in ${neighborhood}`,
      // East Harlem is right for Harlem.
      isRight: (found) => found.cuisine.includes(wanted) && isWithin(found.neighborhood ?? '', neighborhood as string),
    }
  })
}

function isWithin(neighborhood: string, wanted: string): boolean {
  const words = wordsOf(neighborhood)
  return wordsOf(wanted).every((word) => words.includes(word))
}
