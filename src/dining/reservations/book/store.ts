import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/db.ts'
import type { FreeTimesQuery } from '../booking-provider.ts'

export interface Table {
  id: number
  seats: number
}

export interface OccupiedTable {
  tableId: number
  startsAt: Date
  endsAt: Date
}

/** Returns the tables in use, the smallest first. */
export async function listTables(db: Db | Tx, merchantId: number): Promise<Table[]> {
  return db
    .selectFrom('merchant_tables')
    .select(['id', 'seats'])
    .where('merchant_id', '=', merchantId)
    .where('in_use', '=', true)
    .orderBy('seats')
    .orderBy('id')
    .execute()
}

/**
 * Returns seatings that are booked, or held until later than `now`, and overlap a span of time; `except` omits the booking
 * with a token, or the holds of a guest.
 */
export async function listOccupied(
  db: Db | Tx,
  merchantId: number,
  { from, to, except }: { from: Date; to: Date; except?: FreeTimesQuery['except'] },
  now: Date,
): Promise<OccupiedTable[]> {
  const occupied = db
    .selectFrom('table_bookings')
    .select(['table_id as tableId', 'starts_at as startsAt', 'ends_at as endsAt'])
    .where('merchant_id', '=', merchantId)
    .where('starts_at', '<', to)
    .where('ends_at', '>', from)
    .where((where) => where.or([where('state', '=', 'booked'), where('held_until', '>', now)]))
  if (!except) return occupied.execute()
  return 'token' in except
    ? occupied.where('token', '!=', except.token).execute()
    : occupied
        .where((where) => where.or([where('state', '=', 'booked'), where('guest_hash', '!=', except.guest)]))
        .execute()
}

export async function deleteExpiredHolds(tx: Tx, merchantId: number, now: Date): Promise<void> {
  await tx
    .deleteFrom('table_bookings')
    .where('merchant_id', '=', merchantId)
    .where('state', '=', 'held')
    .where('held_until', '<=', now)
    .execute()
}

export interface NewTableBooking extends OccupiedTable {
  merchantId: number
  token: string
  guest: string
  partySize: number
  heldUntil: Date | null
  confirmation: string | null
}

export async function insertTableBooking(tx: Tx, seating: NewTableBooking): Promise<void> {
  await tx
    .insertInto('table_bookings')
    .values({
      merchant_id: seating.merchantId,
      table_id: seating.tableId,
      token: seating.token,
      guest_hash: seating.guest,
      party_size: seating.partySize,
      starts_at: seating.startsAt,
      ends_at: seating.endsAt,
      state: seating.confirmation === null ? 'held' : 'booked',
      held_until: seating.heldUntil,
      confirmation: seating.confirmation,
    })
    .execute()
}

/** Returns the confirmation number of the booking with a token; a hold has none. */
export async function findConfirmation(tx: Tx, token: string): Promise<string | null> {
  const row = await tx.selectFrom('table_bookings').select('confirmation').where('token', '=', token).executeTakeFirst()
  return row?.confirmation ?? null
}

/** Turns a guest's valid hold into a booking; returns false when there is none for this seat. */
export async function confirmHold(
  tx: Tx,
  held: { merchantId: number; holdToken: string; guest: string; startsAt: Date; partySize: number; now: Date },
  booked: { token: string; confirmation: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('table_bookings')
    .set({ state: 'booked', held_until: null, token: booked.token, confirmation: booked.confirmation })
    .where('token', '=', held.holdToken)
    .where('merchant_id', '=', held.merchantId)
    .where('guest_hash', '=', held.guest)
    .where('starts_at', '=', held.startsAt)
    .where('party_size', '=', held.partySize)
    .where('state', '=', 'held')
    .where('held_until', '>', held.now)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function deleteTableBooking(db: Db | Tx, token: string): Promise<void> {
  await db.deleteFrom('table_bookings').where('token', '=', token).execute()
}

/**
 * Deletes the holds of a guest, who has one at a time. Those that have ended are deleted with the next write at their
 * restaurant: deleting them here too would let two guests wait for each other.
 */
export async function deleteHolds(tx: Tx, guest: string, now: Date): Promise<void> {
  await tx
    .deleteFrom('table_bookings')
    .where('guest_hash', '=', guest)
    .where('state', '=', 'held')
    .where('held_until', '>', now)
    .execute()
}

/** Deletes the holds of all restaurants that ended before a moment. */
export async function purgeHolds(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('table_bookings').where('state', '=', 'held').where('held_until', '<', before).execute()
}

export async function isBlocked(db: Db | Tx, guest: string): Promise<boolean> {
  const row = await db
    .selectFrom('blocked_guests')
    .select(sql`1`.as('one'))
    .where('guest_hash', '=', guest)
    .executeTakeFirst()
  return row !== undefined
}

export async function setBlocked(db: Db, guest: string, barred: boolean): Promise<void> {
  if (!barred) await db.deleteFrom('blocked_guests').where('guest_hash', '=', guest).execute()
  else
    await db
      .insertInto('blocked_guests')
      .values({ guest_hash: guest })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}
