import { type RawBuilder, sql } from 'kysely'
import { beginsWith } from '../../platform/database/text-match.ts'

/** Returns the condition for restaurants with this id, or whose name begins with a text, by their row id. */
export const isRestaurantMeant = (merchantId: RawBuilder<unknown>, text: string): RawBuilder<boolean> => {
  const name = text.trim().toLowerCase()
  return sql<boolean>`${merchantId} = any(array(
    select id from merchants where public_id = ${name} or ${beginsWith(sql`lower(name) collate "C"`, name)}))`
}
