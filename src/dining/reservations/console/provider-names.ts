import { spellOut } from '../../../console-kit/spell-out.ts'

/** What operators read for the systems that take bookings. */
export const providerNames: Readonly<Record<string, string>> = {
  book: 'Own reservation book',
  http: 'Booking service of the restaurant',
}

/** What a booking provider was asked for. */
export const requestNames: Readonly<Record<'book' | 'cancel', string>> = { book: 'Book', cancel: 'Cancel' }

/** What a booking provider answered. */
const answerNames: Readonly<Record<string, string>> = {
  done: 'Done',
  unknown: 'No answer',
  slotTaken: 'The table was taken',
  holdExpired: 'The table was no longer held',
  reservationFailed: 'It failed',
  reservationNotFound: 'It does not know this reservation',
  overlap: 'The member has another reservation at that time',
  tooManyBookings: 'Too many reservations',
}

/** Returns what a booking provider answered, also of an earlier version. */
export const answerName = (outcome: string): string => answerNames[outcome] ?? spellOut(outcome)
