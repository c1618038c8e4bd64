import { type RawBuilder, sql } from 'kysely'
import { isRestaurantNamed, nearestName } from '../../../dining/merchants/service.ts'
import type { Db, Tx } from '../../../platform/database/db.ts'
import { listPage, type Order, type PageRequest } from '../../../platform/database/keyset.ts'
import { contains } from '../../../platform/database/text-match.ts'

/** All wait for the same number of days: the earliest deadline first. What was set aside, the latest first. */
const orderOf = (state: UnmatchedFilter['state']): Order => ({
  by: sql`t.occurred_at`,
  type: 'timestamptz',
  id: sql`t.id`,
  direction: state === 'ignored' ? 'desc' : 'asc',
})

export interface UnmatchedRow {
  rowId: number
  id: string
  networkId: string
  merchantName: string
  cents: number
  cardLastFour: string
  dinedAt: Date
  missing: 'card' | 'merchant'
  ignoredBy: string | null
  ignoredAt: Date | null
  ignoredReason: string | null
}

export interface UnmatchedFilter extends PageRequest {
  state: 'open' | 'late' | 'ignored'
  /** Meals before this time are late. */
  lateBefore: Date
  missing: 'any' | 'card' | 'merchant'
  q?: string | undefined
}

const columns = sql`t.id as "rowId", t.public_id as id, t.network_id as "networkId", t.merchant_name as "merchantName",
  t.amount_cents as cents, t.card_last_four as "cardLastFour", t.occurred_at as "dinedAt", t.unmatched as missing,
  i.ignored_by as "ignoredBy", i.ignored_at as "ignoredAt", i.reason as "ignoredReason"`
const ignored = sql`ignored_transactions i on i.partner_id = t.partner_id and i.transaction_id = t.id`

/** Returns one page of the queue. */
export async function listUnmatched(db: Db, { state, lateBefore, missing, q, cursor, limit }: UnmatchedFilter) {
  const parts: RawBuilder<unknown>[] = [
    sql`t.partner_id = current_partner() and t.unmatched is not null`,
    state === 'ignored' ? sql`i.transaction_id is not null` : sql`i.transaction_id is null`,
    ...(state === 'late' ? [sql`t.occurred_at < ${lateBefore}`] : []),
  ]
  // What has neither is in both.
  if (missing !== 'any') {
    parts.push(missing === 'card' ? sql`t.unmatched = 'card'` : sql`t.merchant_id is null`)
  }
  if (q !== undefined && q.trim() !== '') {
    const texts = sql`concat_ws(' | ', t.merchant_name, t.network_id, t.network_location_id, t.card_last_four)`
    parts.push(contains(texts, q))
  }
  return listPage<UnmatchedRow>(
    db,
    {
      columns,
      from: sql`transactions t left join ${ignored}`,
      where: sql.join(parts, sql` and `),
      order: orderOf(state),
    },
    { cursor, limit },
  )
}

/** A transaction with what the network says about its place. */
export interface UnmatchedEvidence extends UnmatchedRow {
  unmatched: 'card' | 'merchant' | null
  locationId: string
  cardToken: string | null
  merchantId: number | null
  restaurantName: string | null
  memberName: string | null
  waiting: number
  location: Record<string, unknown> | null
  scheme: string | null
}

/** Returns a transaction, also one that is no longer unmatched. */
export async function findUnmatched(db: Db | Tx, id: string): Promise<UnmatchedEvidence | undefined> {
  const { rows } = await sql<UnmatchedEvidence>`
    select ${columns}, t.unmatched, t.network_location_id as "locationId", t.card_token as "cardToken",
      t.merchant_id as "merchantId", r.name as "restaurantName", trim(m.first_name || ' ' || m.last_name) as "memberName",
      (select count(*) from (select 1 from transactions o where o.partner_id = t.partner_id and o.unmatched = t.unmatched
        and case t.unmatched when 'card' then o.card_token = t.card_token
          else o.network_location_id = t.network_location_id end limit 1000) waiting) as waiting,
      f.body -> 'transaction' -> 'location' as location, f.body -> 'transaction' -> 'card' ->> 'scheme' as scheme
    from transactions t left join ${ignored}
      left join merchants r on r.id = t.merchant_id left join members m on m.id = t.member_id
      left join lateral (select body from feed_messages f where f.partner_id = t.partner_id
        and f.network_id = t.network_id order by updated_at desc limit 1) f on true
    where t.public_id = ${id}`.execute(db)
  return rows[0]
}

export interface RestaurantRow {
  rowId: number
  id: string
  name: string
  address1: string
  city: string
  state: string
  zipCode: string
  participating: boolean
  networkIds: string[]
}

const restaurantColumns = sql`m.id as "rowId", m.public_id as id, m.name, m.address1, m.city, m.state,
  m.zip_code as "zipCode", m.participating,
  array(select n.network_id from merchant_network_ids n where n.merchant_id = m.id) as "networkIds"`

/** Restaurants that are compared with a transaction. */
const maxCandidates = 400

/** Returns restaurants that share a word of the name, the address, the ZIP code or the beginning of a network id. */
export async function listCandidates(
  db: Db,
  place: { name: string; address: string; zipCode: string; locationId: string },
): Promise<RestaurantRow[]> {
  const words = place.name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2)
    .map((word) => `%${word}%`)
  const { rows } = await sql<RestaurantRow>`
    select ${restaurantColumns} from merchants m
    where lower(m.name) like any(${words}) or (${place.zipCode} <> '' and left(m.zip_code, 5) = left(${place.zipCode}, 5))
      or (${place.address} <> '' and lower(m.address1) = lower(${place.address}))
      or m.id in (select n.merchant_id from merchant_network_ids n
        where length(${place.locationId}) >= 6 and starts_with(n.network_id, left(${place.locationId}, -3)))
    order by lower(m.name) = lower(${place.name}) desc, m.id limit ${maxCandidates}`.execute(db)
  return rows
}

export async function findRestaurants(db: Db, text: string): Promise<RestaurantRow[]> {
  const { rows } = await sql<RestaurantRow>`
    select ${restaurantColumns} from merchants m where ${isRestaurantNamed(text)} order by ${nearestName(text)}
    limit 20`.execute(db)
  return rows
}

export async function findRestaurantId(db: Db, publicId: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`select id from merchants where public_id = ${publicId}`.execute(db)
  return rows[0]?.id
}

/** Returns a card by its id, if it has these last four digits. */
export async function findCardId(db: Db, publicId: string, lastFour: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from cards where public_id = ${publicId} and last_four = ${lastFour}`.execute(db)
  return rows[0]?.id
}

export interface CardRow {
  id: string
  memberName: string
  memberId: string
  cardType: string
  lastFour: string
  linkedAt: Date
  removedAt: Date | null
  hasDinedThere: boolean
}

/** Returns the cards with these last digits, those whose members have dined there first. */
export async function listCards(
  db: Db,
  { cardLastFour, merchantId, merchantName }: Pick<UnmatchedEvidence, 'cardLastFour' | 'merchantId' | 'merchantName'>,
): Promise<CardRow[]> {
  const { rows } = await sql<CardRow>`
    select * from (
      select c.public_id as id, trim(m.first_name || ' ' || m.last_name) as "memberName", m.public_id as "memberId",
        c.card_type as "cardType", c.last_four as "lastFour", c.linked_at as "linkedAt", c.removed_at as "removedAt",
        exists (select from transactions o where o.member_id = m.id
          and (o.merchant_id = ${merchantId} or lower(o.merchant_name) = lower(${merchantName}))) as "hasDinedThere"
      from cards c join members m on m.id = c.member_id
      where c.partner_id = current_partner() and c.last_four = ${cardLastFour} and m.deleted_at is null
      order by c.removed_at is null desc, c.id desc limit 200) found
    order by "hasDinedThere" desc, "removedAt" is null desc, "linkedAt" desc limit 5`.execute(db)
  return rows
}

/** Locks a transaction, so that nobody attaches it meanwhile; returns whether it is still unmatched. */
export async function lockUnmatched(tx: Tx, transactionId: number): Promise<boolean> {
  const { rows } = await sql`
    select from transactions where partner_id = current_partner() and id = ${transactionId} and unmatched is not null
    for update`.execute(tx)
  return rows.length > 0
}

/** Returns whether a transaction is set aside. */
export async function isIgnored(tx: Tx, transactionId: number): Promise<boolean> {
  const { rows } = await sql`
    select from ignored_transactions where partner_id = current_partner() and transaction_id = ${transactionId}`.execute(
    tx,
  )
  return rows.length > 0
}

/** Sets a transaction aside; returns false when it was already. */
export async function insertIgnored(
  tx: Tx,
  transactionId: number,
  { reason, by }: { reason: string; by: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into ignored_transactions (partner_id, transaction_id, reason, ignored_by)
    values (current_partner(), ${transactionId}, ${reason}, ${by}) on conflict do nothing`.execute(tx)
  return numAffectedRows === 1n
}

/** Puts a transaction back; returns false when it was not set aside. */
export async function deleteIgnored(tx: Tx, transactionId: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from ignored_transactions where partner_id = current_partner() and transaction_id = ${transactionId}`.execute(
    tx,
  )
  return numAffectedRows === 1n
}

/** Returns members' names by their internal ids. */
export async function findNames(db: Db | Tx, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; name: string }>`
    select id, trim(first_name || ' ' || last_name) as name from members where id = any(${[...ids]})`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
