/** States of reservations in the words of operators, and their colors. */
export const reservationStates = {
  booking: { label: 'Being booked', color: 'blue' },
  booked: { label: 'Confirmed', color: 'green' },
  noShow: { label: 'No-show', color: 'orange' },
  canceling: { label: 'Being canceled', color: 'blue' },
  canceled: { label: 'Canceled', color: 'gray' },
  failed: { label: 'Failed', color: 'red' },
} as const
