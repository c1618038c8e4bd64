import type { Reservation } from './contract.ts'
import { Bonus } from './schemas.ts'
import type { ReservationRow } from './store.ts'

/** Returns a reservation for its member. While a cancellation is in progress it is shown as canceled. */
export function toReservation(row: ReservationRow): Reservation {
  return {
    id: row.public_id,
    merchantId: row.merchantPublicId,
    merchantName: row.merchantName,
    address: [row.address1, row.city, row.state].filter(Boolean).join(', '),
    phone: row.phone,
    date: row.local_date,
    time: row.local_time,
    timeZone: row.timeZone,
    startsAt: row.starts_at.toISOString(),
    partySize: row.party_size,
    confirmation: row.confirmation ?? '',
    status: row.status === 'booked' ? 'booked' : 'cancelled',
    bonus: Bonus.nullable().parse(row.bonus),
    bonusEarned: row.bonusEarned,
  }
}
