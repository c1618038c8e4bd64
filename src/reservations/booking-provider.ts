import type { MerchantDetail } from '../merchants/contract.ts'
import type { Slotted } from './rules.ts'

/** A restaurant as a provider needs it. */
export interface Restaurant {
  id: number
  /** What a provider other than our own book knows it by. */
  reservationRef: string | null
  timeZone: string
  hours: MerchantDetail['hours']
}

export interface Guest {
  /** The same person in every program of the installation, and not to be read back: a keyed hash of the e-mail. */
  key: string
  firstName: string
  lastName: string
  email: string
}

export interface Seat {
  startsAt: Date
  partySize: number
}

export interface FreeTimes {
  /** Why no table could ever suit the party; then there are no times. */
  size: 'tooBig' | 'tooSmall' | null
  times: (Slotted & { date: string })[]
}

export interface Booking extends Seat {
  guest: Guest
  /** Our name for this booking. The same token again is the same booking, whatever became of the first answer. */
  token: string
  /** A table that `hold` keeps for it. */
  holdToken?: string | undefined
  /** A booking that this one takes the place of: both happen or neither. */
  instead?: { token: string; confirmation: string } | undefined
}

/**
 * Where tables are booked. Whatever a person can mend is thrown as a Refusal: `slotTaken`, `holdExpired`, `tooBig`,
 * `tooSmall`, `overlap`, `fraud`. Anything else that goes wrong rejects with another error, and its outcome is unknown.
 */
export interface BookingProvider {
  freeTimes(
    restaurant: Restaurant,
    asked: { date: string; days: number; partySize: number },
    now: Date,
  ): Promise<FreeTimes>
  hold(
    restaurant: Restaurant,
    seat: Seat & { guest: Guest },
    now: Date,
  ): Promise<{ holdToken: string; expiresAt: Date }>
  book(restaurant: Restaurant, booking: Booking, now: Date): Promise<{ confirmation: string }>
  /** Gives up what stands under a token, if anything does. */
  cancel(restaurant: Restaurant, booking: Booking & { confirmation: string | null }): Promise<void>
}
