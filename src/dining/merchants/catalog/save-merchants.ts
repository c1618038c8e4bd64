import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/database/db.ts'
import { locationIdOf, type MerchantRecord, slugOf } from './record.ts'

export interface SaveCounts {
  added: number
  changed: number
  unchanged: number
}

const columns = `source text, source_id text, public_id text, network_location_id text, name text, description text,
  cuisines text[], features text[], meals text[], price_range smallint, imported_rating_sum int,
  imported_rating_count int, highlight text, acclaimed_level smallint, campaign_codes text[], address1 text, city text, state text, zip_code text, neighborhood text,
  latitude double precision, longitude double precision, time_zone text, phone text, website text, menu_url text,
  hours jsonb, menus jsonb, events jsonb, ordering jsonb, reservation_provider text, reservation_ref text, participating boolean,
  joined_on date, content_hash text`
const names = columns.split(',').map((column) => column.trim().split(' ')[0] as string)

/**
 * Upserts merchants by their source id, within the caller's transaction. Unchanged merchants are not written, so that
 * followers need not reload them.
 */
export async function saveMerchants(tx: Tx, records: readonly MerchantRecord[]): Promise<SaveCounts> {
  const rows = records.map(rowOf)
  const list = sql.raw(names.join(', '))
  const updates = sql.raw(
    names
      .filter((name) => name !== 'public_id')
      .map((name) => `${name} = excluded.${name}`)
      .join(', '),
  )
  const { rows: written } = await sql<{ id: number; source: string; source_id: string; added: boolean }>`
    insert into merchants (${list})
    select ${list} from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(${sql.raw(columns)})
    on conflict (source, source_id) do update set ${updates}
      where merchants.content_hash is distinct from excluded.content_hash
    returning id, source, source_id, (xmax = 0) as added`.execute(tx)
  const ids = new Map(written.map((row) => [`${row.source}:${row.source_id}`, row.id]))
  await saveParts(tx, records, ids)
  const added = written.filter((row) => row.added).length
  return { added, changed: written.length - added, unchanged: records.length - written.length }
}

function rowOf(record: MerchantRecord) {
  const row = {
    source: record.source,
    source_id: record.sourceId,
    public_id: slugOf(record),
    network_location_id: locationIdOf(record),
    name: record.name,
    description: record.description,
    cuisines: record.cuisines,
    features: record.features,
    meals: record.meals,
    price_range: record.priceRange,
    imported_rating_sum: record.rating.sum,
    imported_rating_count: record.rating.count,
    highlight: record.highlight,
    acclaimed_level: record.acclaimedLevel,
    campaign_codes: record.campaignCodes,
    address1: record.address1,
    city: record.city,
    state: record.state,
    zip_code: record.zipCode,
    neighborhood: record.neighborhood,
    latitude: record.latitude,
    longitude: record.longitude,
    time_zone: record.timeZone,
    phone: record.phone,
    website: record.website,
    menu_url: record.menuUrl,
    hours: record.hours,
    menus: record.menus,
    events: record.events,
    ordering: record.ordering,
    reservation_provider: record.reservationProvider,
    reservation_ref: record.reservationRef,
    participating: record.participating,
    joined_on: record.joinedOn,
  }
  return { ...row, content_hash: createHash('sha256').update(JSON.stringify(record)).digest('base64url') }
}

/** Replaces offers and imported reviews and updates the tables of the written merchants. */
async function saveParts(tx: Tx, records: readonly MerchantRecord[], ids: ReadonlyMap<string, number>): Promise<void> {
  const written = [...ids.values()]
  if (written.length === 0) return
  await tx.deleteFrom('merchant_offers').where('merchant_id', 'in', written).execute()
  await tx.deleteFrom('merchant_reviews').where('merchant_id', 'in', written).where('imported', '=', true).execute()
  const parts = <T>(of: (record: MerchantRecord) => readonly T[]) =>
    records.flatMap((record) => {
      const merchant_id = ids.get(`${record.source}:${record.sourceId}`)
      return merchant_id === undefined ? [] : of(record).map((part) => ({ merchant_id, ...part }))
    })
  const json = (rows: unknown[]) => sql`${JSON.stringify(rows)}::jsonb`
  await sql`insert into merchant_offers (merchant_id, type, days, starts_on, ends_on, max_spend_cents, max_visits_per_month,
      max_monthly_spend_cents, min_spend_cents, from_time, until_time, rate_percent)
    select merchant_id, type, days, "startsOn", "endsOn", "maxSpendCents", "maxVisitsPerMonth", "maxMonthlySpendCents",
      "minSpendCents", hours ->> 'from', hours ->> 'until', "ratePercent"
    from jsonb_to_recordset(${json(parts((record) => record.offers))}) as r(merchant_id bigint, type text, days smallint[],
      "startsOn" date, "endsOn" date, "maxSpendCents" bigint, "maxVisitsPerMonth" int, "maxMonthlySpendCents" bigint,
      "minSpendCents" bigint, hours jsonb, "ratePercent" int)`.execute(tx)
  // Tables have reservations, so a table that is no longer listed is marked as unused instead of deleted.
  await tx.updateTable('merchant_tables').set({ in_use: false }).where('merchant_id', 'in', written).execute()
  await sql`insert into merchant_tables (merchant_id, name, seats)
    select merchant_id, name, seats from jsonb_to_recordset(${json(parts((record) => record.tables))})
      as r(merchant_id bigint, name text, seats smallint)
    on conflict (merchant_id, name) do update set seats = excluded.seats, in_use = true`.execute(tx)
  await sql`insert into merchant_reviews (merchant_id, rating, author, body, visited_on, imported)
    select merchant_id, rating, author, body, "visitedOn", true from jsonb_to_recordset(${json(parts((record) => record.reviews))})
      as r(merchant_id bigint, rating smallint, author text, body text, "visitedOn" date)`.execute(tx)
}
