import { type RawBuilder, sql } from 'kysely'
import { beginsWith } from '../../platform/database/text-match.ts'
import { termsOf } from './search-terms.ts'

// The terms have an index; one on lower(email) would not be used under row-level security.

/**
 * Returns the condition for members with an exact email address, member number, phone number, name or id, by their row id.
 * Of a deleted account only the id is left.
 */
export const isNamed = (memberId: RawBuilder<unknown>, text: string): RawBuilder<boolean> => sql<boolean>`
  ${memberId} = any(array(
    select t.member_id from member_terms t where t.partner_id = current_partner() and t.term = search_term(${text})
    union select m.id from members m where m.public_id = ${text.trim()}))`

/** A way to find members, by an index. */
interface Way {
  from: RawBuilder<unknown>
  where: RawBuilder<boolean>
  /** The order of the index. */
  order: RawBuilder<unknown>
}

/**
 * Returns the ways in which a text may mean members: as the beginning of a term, or as the last four digits of a card. Each
 * is a table with a `member_id`, and a condition. Empty when nothing was typed that a term has.
 */
export function waysToFind(text: string): Way[] {
  const { beginnings, lastFour } = termsOf(text)
  return [
    ...beginnings.map((term) => ({ from: sql`member_terms`, where: beginsWith(sql`term`, term), order: sql`term` })),
    ...(lastFour ? [{ from: sql`cards`, where: sql<boolean>`last_four = ${lastFour}`, order: sql`id` }] : []),
  ]
}

/** Returns the condition for members that a text means, by their row id; false when it can mean none. */
export function isMeant(memberId: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  const ways = waysToFind(text).map(({ from, where }) => sql`select member_id from ${from} where ${where}`)
  return ways.length === 0 ? sql<boolean>`false` : sql<boolean>`${memberId} in (${sql.join(ways, sql` union `)})`
}
