import type { ListedReservation } from './contract.ts'

type State = ListedReservation['state']

/** States in the words of operators, and their colors. */
export const stateNames: Readonly<Record<State, { label: string; color: string }>> = {
  booking: { label: 'Being booked', color: 'blue' },
  booked: { label: 'Confirmed', color: 'green' },
  noShow: { label: 'No-show', color: 'orange' },
  canceling: { label: 'Being canceled', color: 'blue' },
  canceled: { label: 'Canceled', color: 'gray' },
  failed: { label: 'Failed', color: 'red' },
}
