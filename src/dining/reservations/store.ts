import { type Selectable, type SelectQueryBuilder, sql, type Updateable } from 'kysely'
import type { DB, Reservations } from '../../../db/schema.ts'
import type { Merge } from '../../identity/members/service.ts'
import type { Db, Tx } from '../../platform/database/db.ts'

export type Row = Selectable<Reservations>

/** A reservation with the displayed fields of its restaurant. */
export type ReservationRow = Row & {
  merchantPublicId: string
  merchantName: string
  address1: string
  city: string
  state: string
  phone: string
  timeZone: string
  /** Whether its bonus is posted. */
  bonusEarned: boolean
}

function withMerchant(db: Db | Tx) {
  return db
    .selectFrom('reservations')
    .innerJoin('merchants', 'merchants.id', 'reservations.merchant_id')
    .selectAll('reservations')
    .select([
      'merchants.public_id as merchantPublicId',
      'merchants.name as merchantName',
      'merchants.address1',
      'merchants.city',
      'merchants.state',
      'merchants.phone',
      'merchants.time_zone as timeZone',
      sql<boolean>`exists (select from transactions t where t.partner_id = reservations.partner_id
        and t.network_id = 'reservation:' || reservations.public_id and t.benefit > 0)`.as('bonusEarned'),
    ]) as SelectQueryBuilder<DB, 'reservations', ReservationRow>
}

/**
 * Returns a member's bookings after a moment, earliest first, or canceled ones and those until a moment, latest first. One
 * that starts at that moment has started: it can no longer be changed.
 */
export async function listReservations(
  db: Db,
  memberId: number,
  { after, until }: { after: Date; until?: undefined } | { after?: undefined; until: Date },
): Promise<ReservationRow[]> {
  const rows = withMerchant(db).where('member_id', '=', memberId)
  return after
    ? rows
        .where('status', '=', 'booked')
        .where('starts_at', '>', after)
        .orderBy('starts_at')
        .orderBy('reservations.id')
        .limit(100)
        .execute()
    : rows
        .where('status', 'in', ['booked', 'canceled'])
        .where((where) => where.or([where('starts_at', '<=', until), where('status', '=', 'canceled')]))
        .orderBy('starts_at', 'desc')
        .orderBy('reservations.id', 'desc')
        .limit(50)
        .execute()
}

export async function findOwnReservation(
  db: Db | Tx,
  memberId: number,
  publicId: string,
): Promise<ReservationRow | undefined> {
  return withMerchant(db)
    .where('member_id', '=', memberId)
    .where('reservations.public_id', '=', publicId)
    .executeTakeFirst()
}

/** Returns the member's booked reservation of exactly this request. `time`: local, `HH:MM`. */
export async function findBooked(
  db: Db | Tx,
  memberId: number,
  { merchantId, date, time, partySize }: { merchantId: string; date: string; time: string; partySize: number },
): Promise<ReservationRow | undefined> {
  return withMerchant(db)
    .where('member_id', '=', memberId)
    .where(sql.ref('merchants.public_id'), '=', merchantId)
    .where('local_date', '=', date)
    .where('local_time', '=', time)
    .where('party_size', '=', partySize)
    .where('status', '=', 'booked')
    .executeTakeFirst()
}

export async function findById(db: Db | Tx, id: number): Promise<ReservationRow | undefined> {
  return withMerchant(db).where('reservations.id', '=', id).executeTakeFirst()
}

/**
 * Returns a member's reservations, booked or in progress, near a moment; `except` is not counted. One that is being
 * changed may return to its previous time: it counts at both.
 */
export async function listActiveNear(
  tx: Tx,
  { memberId, from, to, except }: { memberId: number; from: Date; to: Date; except?: number },
): Promise<Row[]> {
  return tx
    .selectFrom('reservations')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('status', 'in', ['booking', 'booked'])
    .where(
      sql<boolean>`((starts_at > ${from} and starts_at < ${to}) or (status = 'booking'
        and (previous ->> 'starts_at')::timestamptz > ${from} and (previous ->> 'starts_at')::timestamptz < ${to}))`,
    )
    .$if(except !== undefined, (query) => query.where('id', '<>', except as number))
    .execute()
}

/** Gives the reservations of an account to the one that it is merged into. */
export async function moveReservations(tx: Tx, { from, to }: Merge): Promise<void> {
  await tx.updateTable('reservations').set({ member_id: to }).where('member_id', '=', from).execute()
}

/** Returns whether two accounts have tables at one restaurant that are less than two hours apart: one may have one. */
export async function hasOverlappingTables(tx: Tx, { from, to }: Merge): Promise<boolean> {
  const { rows } = await sql`
    select from reservations own join reservations kept on kept.merchant_id = own.merchant_id
      and tstzrange(kept.starts_at, kept.clear_until) && tstzrange(own.starts_at, own.clear_until)
    where own.member_id = ${from} and kept.member_id = ${to} and own.status in ('booking', 'booked')
      and kept.status in ('booking', 'booked') limit 1`.execute(tx)
  return rows.length > 0
}

export interface NewReservation {
  public_id: string
  member_id: number
  merchant_id: number
  provider: string
  token: string
  hold_token: string | null
  starts_at: Date
  local_date: string
  local_time: string
  party_size: number
  /** As JSON. */
  bonus: string | null
  agreed_at: Date
}

const twoHoursLater = (at: Date) => sql<Date>`${at}::timestamptz + interval '2 hours'`

export async function insertReservation(tx: Tx, row: NewReservation, now: Date): Promise<number> {
  const { id } = await tx
    .insertInto('reservations')
    .values({
      ...row,
      status: 'booking',
      clear_until: twoHoursLater(row.starts_at),
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Updates a reservation that is still in one of the given states; returns false otherwise. */
export async function changeReservation(
  tx: Tx,
  id: number,
  from: readonly Row['status'][],
  change: Updateable<Reservations>,
  now: Date,
  where: { undoing?: boolean } = {},
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('reservations')
    .set({
      ...change,
      ...(change.starts_at && { clear_until: twoHoursLater(change.starts_at as Date) }),
      updated_at: now,
    })
    .where('id', '=', id)
    .where('status', 'in', [...from])
    .$if(where.undoing !== undefined, (of) => of.where('undoing', '=', where.undoing as boolean))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Returns a member's upcoming reservations, including those that are being booked. */
export async function listOpenReservations(tx: Tx, memberId: number, now: Date): Promise<Row[]> {
  return tx
    .selectFrom('reservations')
    .selectAll()
    .where('member_id', '=', memberId)
    .where((where) =>
      where.or([where('status', '=', 'booking'), where('status', '=', 'booked').and('starts_at', '>', now)]),
    )
    .orderBy('id')
    .execute()
}

export interface ProviderMessage {
  reservationId: number
  request: 'book' | 'cancel'
  /** `done`, the provider's error code, or `unknown`. */
  outcome: string
  confirmation: string | null
}

/** Keeps what a booking provider answered. */
export async function insertProviderMessage(db: Db, message: ProviderMessage): Promise<void> {
  const { reservationId, request, outcome, confirmation } = message
  await sql`insert into reservation_messages (partner_id, reservation_id, request, outcome, confirmation)
    values (current_partner(), ${reservationId}, ${request}, ${outcome.slice(0, 60)}, ${confirmation})`.execute(db)
}
