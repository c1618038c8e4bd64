import { type RawBuilder, sql } from 'kysely'

/** The character after every other one: the end of the texts that begin with a text. */
const lastCharacter = '\u{10ffff}'

/** Returns the condition for what begins with a text. `column` is in the order of code points, as its index is. */
export const beginsWith = (column: RawBuilder<unknown>, text: string): RawBuilder<boolean> =>
  sql<boolean>`(${column} >= ${text} and ${column} < ${text + lastCharacter})`

/**
 * Returns a text as people compare it: without accents, in lower case, with one kind of apostrophe and single spaces. As
 * `plain_text` in the database does.
 */
export const plainText = (text: string): string =>
  text
    .trim()
    .replace(/[‘’ʼ´`]/g, "'")
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/\s+/g, ' ')
    .normalize('NFC')
    .toLowerCase()

/** Returns the condition for a text that contains what was typed. Reads every row: for lists that are short. */
export const contains = (text: RawBuilder<unknown>, typed: string): RawBuilder<boolean> =>
  sql<boolean>`plain_text(${text}) like ${`%${escaped(plainText(typed))}%`}`

/** Returns the pattern of `like` for texts in lower case that begin with what was typed. */
export const beginningWith = (typed: string): string => `${escaped(typed)}%`

const escaped = (typed: string) =>
  typed
    .trim()
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')
