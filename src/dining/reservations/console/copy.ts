/** What the console says about reservations, by key. */
export const reservationsConsoleCopy = {
  'error.honored': 'The guests came: a meal has earned the bonus of this reservation.',
  'error.tooEarly': 'This reservation is not over yet.',
  'error.slotTaken': 'The provider says that the table is taken by now.',
  'error.holdExpired': 'The provider no longer holds the table.',
  'error.reservationFailed': 'The provider did not answer. It is asked again by itself.',
} as const
