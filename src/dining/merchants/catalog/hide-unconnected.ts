import type { ReservationProviders } from '../names.ts'

/**
 * Returns a merchant without its reservation provider when this installation has no connection to that: where no table
 * can be booked, nothing may offer one, nor a bonus for it.
 */
export function hideUnconnected<R extends { reservationProvider: string | null }>(
  row: R,
  connected: ReservationProviders,
): R {
  const isConnected = (connected as ReadonlySet<string | null>).has(row.reservationProvider)
  return row.reservationProvider === null || isConnected ? row : { ...row, reservationProvider: null }
}
