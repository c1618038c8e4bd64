import type { ReasonCode } from '../reasons.ts'

/** Reason codes in the words of operators. */
export const reasonNames: Readonly<Record<ReasonCode | ExtraCode, string>> = {
  earned: 'Earned',
  earnedUpToLimit: 'Earned, up to the limit per visit',
  earnedUpToMonth: 'Earned, up to the limit of the month',
  earnedUpToMaximum: 'Earned, up to the maximum per meal',
  partlyRefunded: 'Partly refunded',
  refunded: 'Refunded',
  reversed: 'Authorization reversed',
  neverCharged: 'Never charged',
  belowStep: 'Below the first step',
  belowMinimum: 'Below the minimum',
  tierWithoutReward: 'Tier earns nothing',
  accessLocked: 'Restaurant is locked for the tier',
  debitWithPin: 'Debit with PIN',
  currencyNotSupported: 'Another currency',
  closedAccount: 'Closed account',
  cardUnknown: 'Card unknown',
  cardLinkedTooLate: 'Card linked too late',
  merchantUnknown: 'Restaurant unknown',
  locationNotEnrolled: 'Another location of the chain',
  merchantNotYetJoined: 'Restaurant had not joined',
  merchantLeft: 'Restaurant had left',
  merchantNotParticipating: 'Restaurant takes no part',
  processingChanged: 'Network id was over',
  noOffer: 'No offer',
  dayWithoutReward: 'Day without reward',
  hourWithoutReward: 'Hour without reward',
  visitsUsedUp: 'Visits used up',
  monthlySpendUsedUp: 'Spending of the month used up',
  reviewExpired: 'Review is overdue',
  countedElsewhere: 'Counted in another program',
  reportedTwice: 'Reported twice',
  bonus: 'Bonus',
  reservationBonus: 'Reservation bonus',
  reservationCanceled: 'Reservation was canceled',
  creditedByHand: 'Credited for a claim',
  replacedByTransaction: 'Replaced by its transaction',
}

/** Codes of entries that are no transactions of the card network. */
type ExtraCode = 'bonus' | 'reservationBonus' | 'reservationCanceled' | 'creditedByHand' | 'replacedByTransaction'

/** Returns the name of a stored code, which may be of an earlier version. */
export const reasonName = (code: string): string => (reasonNames as Readonly<Record<string, string>>)[code] ?? code
