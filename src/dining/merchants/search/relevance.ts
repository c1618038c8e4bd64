import { isSlip, isWithinEditDistance } from './text.ts'

/** The searchable fields of a merchant, one bit each. */
export const field = { name: 1, cuisine: 2, neighborhood: 4, city: 8, address: 16 } as const
export const fieldBits = 5
const allFields = (1 << fieldBits) - 1

/** How well a merchant's word matches a typed one (0 not at all, 1 exactly), and in which fields. */
export interface WordMatch {
  quality: number
  fields: number
}

const cuisineWords: Record<string, string> = {
  bbq: 'barbecue',
  banh: 'vietnamese',
  burrito: 'mexican',
  coffee: 'cafe',
  crab: 'seafood',
  crepe: 'french',
  curry: 'indian',
  dim: 'chinese',
  dumpling: 'chinese',
  espresso: 'cafe',
  falafel: 'eastern mediterranean middle',
  gelato: 'cream ice',
  gyro: 'greek',
  hoagie: 'sandwiches',
  izakaya: 'japanese',
  kebab: 'eastern mediterranean middle turkish',
  lobster: 'seafood',
  oyster: 'seafood',
  pasta: 'italian',
  pho: 'vietnamese',
  pizzeria: 'pizza',
  ramen: 'japanese',
  sashimi: 'japanese',
  shawarma: 'eastern mediterranean middle',
  souvlaki: 'greek',
  sub: 'sandwiches',
  sum: 'chinese',
  sushi: 'japanese',
  taco: 'mexican',
  tapas: 'spanish',
  taqueria: 'mexican',
  vegan: 'vegetarian',
  wing: 'chicken',
}
const synonyms = new Map(Object.entries(cuisineWords).map(([dish, cuisines]) => [dish, cuisines.split(' ')]))

/** Returns the cuisine words that are synonyms of the typed text, such as `japanese` for `sushi`. */
export function cuisineSynonyms(typed: string): readonly string[] {
  return synonyms.get(typed) ?? synonyms.get(typed.replace(/s$/, '')) ?? []
}

/** Returns how many typos are tolerated in a typed word. */
export function allowedTypos(typed: string): 0 | 1 | 2 {
  return typed.length < 3 ? 0 : typed.length < 8 ? 1 : 2
}

/** Returns the best match of a merchant's word for a typed one. */
export function matchWord(typed: string, word: string, fuzzy: boolean): WordMatch {
  if (word === typed) return { quality: 1, fields: allFields }
  // A longer part of the word scores higher: "burger" is nearly "burgers".
  if (typed.length >= 2 && word.startsWith(typed))
    return { quality: 0.4 + (0.4 * typed.length) / word.length, fields: allFields }
  if (cuisineSynonyms(typed).includes(word)) return { quality: 0.7, fields: field.cuisine }
  const quality = fuzzy ? qualityOfTypo(typed, word) : 0
  return { quality, fields: quality > 0 ? allFields : 0 }
}

/**
 * Returns how well a word matches a typed one with typos. A slip of the fingers has few results, a wrong letter one for each
 * letter of the alphabet: a word that a slip explains is likelier.
 */
function qualityOfTypo(typed: string, word: string): number {
  const typos = allowedTypos(typed)
  if (typos === 0 || !isWithinEditDistance(typed, word, typos)) return 0
  if (isSlip(typed, word)) return 0.38
  return typos === 1 || isWithinEditDistance(typed, word, 1) ? 0.3 : 0.22
}

// Weight of a word per field. A word in several fields has the highest weight and a fifth of the others.
const weights: [number, number][] = [
  [field.cuisine, 1.5],
  [field.neighborhood, 1.3],
  [field.city, 1.2],
  [field.address, 0.5],
]
const shareOfOthers = 0.2
const masks = Array.from({ length: allFields + 1 }, (_, mask) =>
  weights.map(([bit, weight]) => (mask & bit ? weight : 0)),
)
const maxWeights = masks.map((list) => Math.max(...list))
const weightSums = masks.map((list) => list.reduce((sum, weight) => sum + weight, 0))

/**
 * Returns the score of a matched word. A name scores higher the more of it was typed, so that "Rock City Pizza" comes
 * before "Rock City Pizza and Pasta House"; `nameLength` is in words.
 */
export function scoreWord({ quality, fields }: WordMatch, foundIn: number, nameLength: number): number {
  const where = fields & foundIn
  const name = where & field.name ? 1 + 1 / nameLength : 0
  const maxWeight = Math.max(name, maxWeights[where] as number)
  return quality * (maxWeight + shareOfOthers * (name + (weightSums[where] as number) - maxWeight))
}

/**
 * Added to the score of a restaurant when the typed words are its whole name: a word of a long name has a lower weight than
 * one of a cuisine or a place.
 */
export const wholeNameBonus = 0.3

const stopWords = new Set(
  'a an and around at best by eat food for good in me near nearby of on place places restaurant restaurants the to with'.split(
    ' ',
  ),
)
const longStopWords = ['restaurant', 'restaurants']

/** Returns whether a word is "restaurant" or "restaurants" with one or two typos. */
export function isMisspelledStopWord(word: string): boolean {
  return !stopWords.has(word) && longStopWords.some((stopWord) => isWithinEditDistance(word, stopWord, 2))
}

/** Splits the typed words into required ones and optional ones, which only raise the score. `count` includes repeated ones. */
export function requiredWords(words: readonly string[]): { required: string[]; optional: string[]; count: number } {
  const distinct = [...new Set(words)]
  return {
    count: words.length,
    required: distinct.filter((word) => !stopWords.has(word)),
    optional: distinct.filter((word) => stopWords.has(word)),
  }
}
