import { within } from './text.ts'

/** The parts of a merchant that words are found in, one bit each. */
export const field = { name: 1, cuisine: 2, neighborhood: 4, city: 8, address: 16 } as const
export const fieldBits = 5
const allFields = (1 << fieldBits) - 1

/** How a word of a merchant answers a typed one: how well (0 not at all, 1 whole), and in which of its fields. */
export interface Answer {
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
const kin = new Map(Object.entries(cuisineWords).map(([dish, cuisines]) => [dish, cuisines.split(' ')]))

/** The words of cuisines that serve what was typed: sushi is Japanese. */
export function kindredCuisines(typed: string): readonly string[] {
  return kin.get(typed) ?? kin.get(typed.replace(/s$/, '')) ?? []
}

/** How many slips of the finger a typed word is forgiven. */
export function slipsForgiven(typed: string): 0 | 1 | 2 {
  return typed.length < 3 ? 0 : typed.length < 8 ? 1 : 2
}

/** How a merchant's word answers a typed one, the best way there is. */
export function answerOf(typed: string, word: string, forgiving: boolean): Answer {
  if (word === typed) return { quality: 1, fields: allFields }
  // The closer the beginning comes to the word, the better: "burger" is nearly "burgers".
  if (typed.length >= 2 && word.startsWith(typed))
    return { quality: 0.4 + (0.4 * typed.length) / word.length, fields: allFields }
  if (kindredCuisines(typed).includes(word)) return { quality: 0.7, fields: field.cuisine }
  const slips = slipsForgiven(typed)
  if (forgiving && slips > 0 && within(typed, word, slips)) return { quality: 0.35, fields: allFields }
  return { quality: 0, fields: 0 }
}

// What a word is worth in a field; in several, the most of them and a fifth of the others.
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
const mostOf = masks.map((list) => Math.max(...list))
const sumOf = masks.map((list) => list.reduce((sum, weight) => sum + weight, 0))

/**
 * What a found word counts for. A name is worth more the more of it was typed, so that "Rock City Pizza" comes
 * before "Rock City Pizza and Pasta House"; `nameLength` is in words.
 */
export function worth({ quality, fields }: Answer, foundIn: number, nameLength: number): number {
  const where = fields & foundIn
  const name = where & field.name ? 1 + 1 / nameLength : 0
  const most = Math.max(name, mostOf[where] as number)
  return quality * (most + shareOfOthers * (name + (sumOf[where] as number) - most))
}

const filling = new Set(
  'a an and around at best by eat food for good in me near nearby of on place places restaurant restaurants the to with'.split(
    ' ',
  ),
)

/** What was typed, in words that must be found and words that are welcome. */
export function requiredWords(words: readonly string[]): { required: string[]; welcome: string[] } {
  const distinct = [...new Set(words)]
  return {
    required: distinct.filter((word) => !filling.has(word)),
    welcome: distinct.filter((word) => filling.has(word)),
  }
}
