import { sql } from 'kysely'
import { isRestaurantNamed, nearestName } from '../../dining/merchants/service.ts'
import type { Db } from '../../platform/database/db.ts'
import { contains } from '../../platform/database/text-match.ts'
import type { Found } from './schemas.ts'

/** Returns restaurants with words that begin like those of a text, or which have this id. */
export async function findFewRestaurants(db: Db, text: string, limit: number): Promise<Found['restaurants']> {
  const { rows } = await sql<Found['restaurants'][number]>`
    select public_id as id, name, city, state from merchants where ${isRestaurantNamed(text)}
    order by ${nearestName(text)} limit ${limit}`.execute(db)
  return rows
}

/** Returns the claim of an id, and open ones whose restaurant or member has a text in its name. */
export async function findFewClaims(db: Db, text: string, limit: number): Promise<Found['claims']> {
  const { rows } = await sql<Found['claims'][number]>`
    select c.public_id as id, c.merchant_name as "merchantName", trim(m.first_name || ' ' || m.last_name) as "memberName",
      c.amount_cents as cents, c.decided_at is not null as "isDecided"
    from claims c join members m on m.id = c.member_id
    where m.deleted_at is null and c.id in (
      select id from claims where public_id = ${text}
      union all (
        select open.id from claims open join members o on o.id = open.member_id
        where open.decided_at is null
          and ${contains(sql`concat_ws(' | ', open.merchant_name, o.first_name || ' ' || o.last_name, o.email)`, text)}
        order by open.respond_by limit ${limit}))
    order by c.respond_by, c.id limit ${limit}`.execute(db)
  return rows
}
