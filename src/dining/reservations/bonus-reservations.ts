import { type SelectQueryBuilder, sql } from 'kysely'
import type { DB } from '../../../db/schema.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Bonus } from './contract.ts'

/** The fields of a reservation that its bonus depends on. */
export interface BonusReservation {
  memberId: number
  merchantId: number
  publicId: string
  /** The restaurant's local date, `YYYY-MM-DD`. */
  localDate: string
  startsAt: Date
  timeZone: string
  /** Null when the current date has no bonus. */
  bonus: Bonus | null
  /** A transaction before this moment does not earn the bonus. */
  agreedAt: Date
  /** False once the reservation is canceled or marked as a no-show, and when it was never confirmed. */
  isConfirmed: boolean
}

/**
 * Selects reservations in their current state. While a change is in progress the previous date and bonus apply: they
 * are restored when the change fails.
 */
function selectReservations(db: Db | Tx) {
  const isChanging = sql<boolean>`(status = 'booking' and previous is not null)`
  const columns = {
    localDate: sql<string>`case when ${isChanging} then (previous ->> 'local_date')::date else local_date end`,
    startsAt: sql<Date>`case when ${isChanging} then (previous ->> 'starts_at')::timestamptz else starts_at end`,
    bonus: sql<Bonus | null>`case when ${isChanging} then nullif(previous -> 'bonus', 'null') else bonus end`,
    agreedAt: sql<Date>`case when ${isChanging} then (previous ->> 'agreed_at')::timestamptz else agreed_at end`,
    isConfirmed: sql<boolean>`((status = 'booked' and no_show_at is null) or ${isChanging})`,
  }
  return db
    .selectFrom('reservations')
    .innerJoin('merchants', 'merchants.id', 'reservations.merchant_id')
    .select([
      'member_id as memberId',
      'merchant_id as merchantId',
      'reservations.public_id as publicId',
      'merchants.time_zone as timeZone',
      columns.localDate.as('localDate'),
      columns.startsAt.as('startsAt'),
      columns.bonus.as('bonus'),
      columns.agreedAt.as('agreedAt'),
      columns.isConfirmed.as('isConfirmed'),
    ])
    .orderBy('reservations.id') as SelectQueryBuilder<DB, 'reservations', BonusReservation>
}

type ConfirmedReservation = BonusReservation & { bonus: Bonus }

const onlyConfirmed = (rows: BonusReservation[]) =>
  rows.filter((row): row is ConfirmedReservation => row.isConfirmed && row.bonus !== null)

/** Returns members' confirmed reservations that have a bonus. */
export async function listBonusReservations(tx: Tx, memberIds: readonly number[]): Promise<BonusReservation[]> {
  if (memberIds.length === 0) return []
  const rows = await selectReservations(tx)
    .where('member_id', '=', sql<number>`any(${[...new Set(memberIds)]})`)
    .where('status', 'in', ['booked', 'booking'])
    .execute()
  return onlyConfirmed(rows)
}

/** Returns a member's confirmed reservations with a bonus at a restaurant on these local dates. */
export async function findBonusReservations(
  tx: Db | Tx,
  { memberId, merchantId, dates }: { memberId: number; merchantId: number; dates: readonly string[] },
): Promise<ConfirmedReservation[]> {
  const rows = await listReservationsAt(tx, { memberId, merchantId })
  return onlyConfirmed(rows).filter(({ localDate }) => dates.includes(localDate))
}

/** Returns every reservation of a member at a restaurant, in any status. */
export async function listReservationsAt(
  tx: Db | Tx,
  { memberId, merchantId }: { memberId: number; merchantId: number },
): Promise<BonusReservation[]> {
  return selectReservations(tx).where('member_id', '=', memberId).where('merchant_id', '=', merchantId).execute()
}
