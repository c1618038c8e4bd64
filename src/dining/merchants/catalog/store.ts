import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/db.ts'
import type { Offer } from '../contract.ts'

export interface MerchantRow {
  id: number
  publicId: string
  name: string
  cuisines: string[]
  features: string[]
  meals: string[]
  priceRange: number
  ratingSum: number
  ratingCount: number
  highlight: string | null
  acclaimedLevel: number
  campaignCodes: string[]
  address1: string
  city: string
  state: string
  zipCode: string
  neighborhood: string
  latitude: number
  longitude: number
  timeZone: string
  phone: string
  reservationProvider: string | null
  participating: boolean
  joinedOn: string
  version: number
  /** Date of the last change, in UTC. */
  updatedOn: string
  offers: Offer[]
}

const offersOf = sql<Offer[]>`coalesce((
  select json_agg(json_build_object(
    'type', type, 'days', days, 'startsOn', starts_on, 'endsOn', ends_on, 'maxSpendCents', max_spend_cents,
    'maxVisitsPerMonth', max_visits_per_month, 'maxMonthlySpendCents', max_monthly_spend_cents,
    'minSpendCents', min_spend_cents,
    'hours', case when from_time is not null then json_build_object('from', from_time, 'until', until_time) end,
    'ratePercent', rate_percent) order by rate_percent desc, id)
  from merchant_offers where merchant_id = merchants.id), '[]'::json)`

function merchants(db: Db | Tx) {
  return db
    .selectFrom('merchants')
    .select([
      'id',
      'public_id as publicId',
      'name',
      'cuisines',
      'features',
      'meals',
      'price_range as priceRange',
      'rating_sum as ratingSum',
      'rating_count as ratingCount',
      'highlight',
      'acclaimed_level as acclaimedLevel',
      'campaign_codes as campaignCodes',
      'address1',
      'city',
      'state',
      'zip_code as zipCode',
      'neighborhood',
      'latitude',
      'longitude',
      'time_zone as timeZone',
      'phone',
      'reservation_provider as reservationProvider',
      'participating',
      'joined_on as joinedOn',
      'version',
    ])
    .select(sql<string>`to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD')`.as('updatedOn'))
    .select(offersOf.as('offers'))
}

/**
 * Returns merchants that changed after a version, ordered by id, so that pages are stable. A version below 0 returns
 * all, read along the primary key.
 */
export async function listChangedSince(
  db: Db | Tx,
  version: number,
  afterId: number,
  limit: number,
): Promise<MerchantRow[]> {
  return merchants(db)
    .$if(version >= 0, (query) => query.where('version', '>', version))
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function getCurrentVersion(db: Db | Tx): Promise<{ version: number; count: number }> {
  const { rows } = await sql<{ version: number; count: number }>`
    select version, (select count(*) from merchants) as count from merchants_version`.execute(db)
  return rows[0] ?? { version: 0, count: 0 }
}

/** Returns the version without counting the merchants. */
export async function getVersion(db: Db | Tx): Promise<number> {
  const row = await db.selectFrom('merchants_version').select('version').executeTakeFirst()
  return row?.version ?? 0
}

/** Returns merchants by id, in the order of their ids. */
export async function listRows(db: Db | Tx, ids: readonly number[]): Promise<MerchantRow[]> {
  return merchants(db).where('id', '=', sql<number>`any(${ids}::bigint[])`).orderBy('id').execute()
}

export async function countChangedSince(db: Db | Tx, version: number): Promise<number> {
  const { count } = await db
    .selectFrom('merchants')
    .select(sql<number>`count(*)`.as('count'))
    .where('version', '>', version)
    .executeTakeFirstOrThrow()
  return count
}

/** Returns the ids in ranges of a thousand. */
export async function listIds(db: Db | Tx, ranges: readonly number[]): Promise<number[]> {
  const rows = await db.selectFrom('merchants').select('id').where(isInRanges(ranges)).execute()
  return rows.map(({ id }) => id)
}

/** Returns the number of merchants in each range of a thousand ids. */
export async function listRangeCounts(db: Db | Tx): Promise<{ range: number; count: number }[]> {
  const { rows } = await sql<{ range: number; count: number }>`
    select id / ${sql.lit(idsPerRange)} as range, count(*) as count from merchants group by 1`.execute(db)
  return rows
}

/** Hash of the state of a row, a 64-bit integer as text. Each change of a row gives it another version and time. */
const stamp = sql`hashint8extended(id, version # (date_part('epoch', updated_at) * 1000000)::bigint)`

/** Yields pages of the ids and stamps of all merchants, or of those in ranges of a thousand ids, in the order of their ids. */
export async function* listStamps(
  db: Db | Tx,
  ranges: readonly number[] | null,
): AsyncGenerator<{ id: number; stamp: string }[]> {
  const inRanges = ranges === null ? sql`true` : isInRanges(ranges)
  let last = 0
  for (;;) {
    const { rows } = await sql<{ id: number; stamp: string }>`
      select id, ${stamp}::text as stamp from merchants where id > ${last} and ${inRanges}
      order by id limit ${sql.lit(stampsAtOnce)}`.execute(db)
    yield rows
    if (rows.length < stampsAtOnce) return
    last = rows.at(-1)?.id ?? last
  }
}

/** Few enough that searches wait only some milliseconds for their conversion. */
const stampsAtOnce = 10_000

const isInRanges = (ranges: readonly number[]) => sql<boolean>`id / ${sql.lit(idsPerRange)} = any(${ranges}::bigint[])`

/** Returns the combined stamp of each range of a thousand ids. */
export async function listRangeStamps(db: Db | Tx): Promise<{ range: number; stamp: string }[]> {
  const last = await db.selectFrom('merchants').select(sql<number>`coalesce(max(id), 0)`.as('id')).executeTakeFirst()
  const found: { range: number; stamp: string }[] = []
  for (let from = 0; from <= (last?.id ?? 0); from += idsPerQuery) {
    const { rows } = await sql<{ range: number; stamp: string }>`
      select id / ${sql.lit(idsPerRange)} as range, bit_xor(${stamp})::text as stamp from merchants
      where id >= ${from} and id < ${from + idsPerQuery} group by 1`.execute(db)
    for (const row of rows) found.push(row)
  }
  return found
}

/** Ids whose stamps one query combines, because the time of a statement is limited; a multiple of those in a range. */
const idsPerQuery = 1_000_000

/** Ids are compared in ranges, so that only those that differ are read one by one. */
const idsPerRange = 1000

/** Returns the range of an id. */
export function rangeOf(id: number): number {
  return Math.floor(id / idsPerRange)
}

export interface MerchantPageRow {
  description: string
  website: string
  menuUrl: string
  menus: unknown
  events: unknown
  ordering: unknown
  hours: unknown
  leftOn: string | null
}

/** Returns all data of one merchant, participating or not. */
export async function findPage(db: Db, publicId: string): Promise<(MerchantRow & MerchantPageRow) | undefined> {
  return merchants(db)
    .select(['description', 'website', 'menu_url as menuUrl', 'menus', 'events', 'ordering', 'hours'])
    .select('left_on as leftOn')
    .where('public_id', '=', publicId)
    .executeTakeFirst()
}

export interface BookableMerchant {
  id: number
  publicId: string
  name: string
  timeZone: string
  hours: unknown
  reservationProvider: string | null
  reservationRef: string | null
  acclaimedLevel: number
  offers: Offer[]
}

/** Returns the reservation data of a participating merchant. */
export async function findBookable(db: Db, publicId: string): Promise<BookableMerchant | undefined> {
  return bookable(db).where('public_id', '=', publicId).where('participating', '=', true).executeTakeFirst()
}

export async function findBookableById(db: Db, id: number): Promise<BookableMerchant | undefined> {
  return bookable(db).where('id', '=', id).executeTakeFirst()
}

function bookable(db: Db) {
  return db
    .selectFrom('merchants')
    .select([
      'id',
      'public_id as publicId',
      'name',
      'time_zone as timeZone',
      'hours',
      'reservation_provider as reservationProvider',
      'reservation_ref as reservationRef',
      'acclaimed_level as acclaimedLevel',
    ])
    .select(offersOf.as('offers'))
}
