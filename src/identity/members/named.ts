import { type RawBuilder, sql } from 'kysely'

/**
 * Returns the condition for members with an exact email address, member number, phone number, name or id, by their row id.
 * Of a deleted account only the id is left.
 */
export const isNamed = (memberId: RawBuilder<unknown>, text: string): RawBuilder<boolean> => sql<boolean>`
  ${memberId} = any(array(
    select t.member_id from member_terms t where t.partner_id = current_partner() and t.term = ${text.trim().toLowerCase()}
    union select m.id from members m where m.public_id = ${text.trim()}))`
