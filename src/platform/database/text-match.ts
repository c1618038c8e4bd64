import { type RawBuilder, sql } from 'kysely'

/** The character after every other one: the end of the texts that begin with a text. */
const lastCharacter = '\u{10ffff}'

/** Returns the condition for what begins with a text. `column` is in the order of code points, as its index is. */
export const beginsWith = (column: RawBuilder<unknown>, text: string): RawBuilder<boolean> =>
  sql<boolean>`(${column} >= ${text} and ${column} < ${text + lastCharacter})`

/** Returns the pattern of `like` for texts in lower case that contain what was typed. */
export const containing = (typed: string): string => `%${escaped(typed)}%`

/** Returns the pattern of `like` for texts in lower case that begin with what was typed. */
export const beginningWith = (typed: string): string => `${escaped(typed)}%`

const escaped = (typed: string) =>
  typed
    .trim()
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')
