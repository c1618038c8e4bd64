import { type RawBuilder, sql } from 'kysely'
import { plainText } from '../../platform/database/text-match.ts'

/** What separates words, as `restaurant_words` in the database has it. */
const separators = /[\s!-/:-@[-`{-~–—·•…]+/

const wordsOf = (text: string): string[] =>
  plainText(text)
    .split(separators)
    .filter((word) => word !== '')

/** Returns whether each word of a typed text begins a word of a name, as `isRestaurantNamed` compares them. */
export function hasWords(name: string, typed: string): boolean {
  const [own, wanted] = [[...wordsOf(name), ...wordsOf(plainText(name).replaceAll("'", ''))], wordsOf(typed)]
  return wanted.length > 0 && wanted.every((word) => own.some((each) => each.startsWith(word)))
}

/** Returns the condition for a row of `merchants` with this id, or with words that begin like those of a text in any order. */
export function isRestaurantNamed(text: string): RawBuilder<boolean> {
  const words = wordsOf(text)
  const isLike = sql`restaurant_words(name, city) @@ ${words.map((word) => `'${word}':*`).join(' & ')}::tsquery`
  return sql<boolean>`(public_id = ${text.trim().toLowerCase()} or ${words.length > 0 ? isLike : sql`false`})`
}

/** Returns the order of restaurants that a text may mean: those whose name begins with it first. */
export const nearestName = (text: string): RawBuilder<unknown> =>
  sql`starts_with(plain_text(name), ${plainText(text)}) desc, lower(name), id`

/** Returns the condition for restaurants that a text means, by their row id. */
export const isRestaurantMeant = (merchantId: RawBuilder<unknown>, text: string): RawBuilder<boolean> =>
  sql<boolean>`${merchantId} = any(array(select id from merchants where ${isRestaurantNamed(text)}))`
