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
    ])
    .select(offersOf.as('offers'))
}
