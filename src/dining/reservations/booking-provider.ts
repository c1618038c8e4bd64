import type { MerchantDetail } from '../merchants/contract.ts'
import type { SeatingTime } from './rules.ts'

/** The fields of a restaurant that a provider needs. */
export interface Restaurant {
  id: number
  /** The id at an external provider. */
  reservationRef: string | null
  timeZone: string
  hours: MerchantDetail['hours']
}

export interface Guest {
  /** A keyed hash of the email: the same person has the same key in every program of the installation. */
  key: string
  firstName: string
  lastName: string
  email: string
}

export interface Seat {
  startsAt: Date
  partySize: number
}

export interface FreeTimesQuery {
  date: string
  days: number
  partySize: number
  /**
   * Whose table counts as free, because it would be released: that of the booking with a token, or those held for a
   * guest. An external provider may not support it.
   */
  except?: { token: string } | { guest: string } | undefined
}

export interface FreeTimes {
  /** Why no table could ever suit the party; `times` is empty then. */
  size: 'tooBig' | 'tooSmall' | null
  times: (SeatingTime & { date: string })[]
}

export interface Booking extends Seat {
  guest: Guest
  /** Our id of this booking. Idempotent: the same token gives the same booking. */
  token: string
  /** A token that `hold` returned for the table. */
  holdToken?: string | undefined
  /** A booking that this one replaces atomically. */
  instead?: { token: string; confirmation: string } | undefined
}

/**
 * Books tables. Throws ApiError for problems that a person can solve: `slotTaken`, `holdExpired`, `tooBig`,
 * `tooSmall`, `overlap`, `fraud`. Any other failure rejects with another error, and its outcome is unknown.
 */
export interface BookingProvider {
  /** Whether a guest's new hold releases the one before, at any restaurant. */
  releasesHolds: boolean
  freeTimes(restaurant: Restaurant, query: FreeTimesQuery, now: Date): Promise<FreeTimes>
  hold(
    restaurant: Restaurant,
    seat: Seat & { guest: Guest },
    now: Date,
  ): Promise<{ holdToken: string; expiresAt: Date }>
  book(restaurant: Restaurant, booking: Booking, now: Date): Promise<{ confirmation: string }>
  /** Cancels the booking with a token, if there is one. */
  cancel(restaurant: Restaurant, booking: Booking & { confirmation: string | null }): Promise<void>
}
