/** Words about what a meal earned, and why. Amounts come formatted: `$42.10`, `126 miles`. */
export const rewardsCopy = {
  'rewards.why.earned': 'You earned {benefit} on {amount} at {merchant}.',
  'rewards.why.earned_pending':
    '{benefit} on the way for {amount} at {merchant}. The final bill, tip included, decides.',
  'rewards.why.earnedUpToLimit':
    'You earned {benefit}. {limit} of the {amount} counted: that is the most {merchant} rewards in one visit.',
  'rewards.why.earnedUpToLimit_pending':
    '{benefit} on the way. {limit} of the {amount} count: that is the most {merchant} rewards in one visit.',
  'rewards.why.partlyRefunded': '{refunded} of {amount} came back to your card. You keep {benefit} for the rest.',
  'rewards.why.partlyRefunded_pending':
    '{refunded} of {amount} came back to your card. {benefit} are on the way for the rest.',
  'rewards.why.refunded': '{merchant} refunded this meal, so it earns nothing.',
  'rewards.why.reversed': 'This payment was cancelled before it was charged, so it earns nothing.',
  'rewards.why.belowStep': 'Rewards here begin at {needed}. This meal came to {amount}.',
  'rewards.why.belowStep_pending': 'Rewards here begin at {needed}. So far this meal comes to {amount}.',
  'rewards.why.tierWithoutReward': 'Your membership level did not earn rewards on the day of this meal.',
  'rewards.why.currencyNotSupported': 'This meal was paid in {currency}. Only meals paid in US dollars earn.',
  'rewards.why.closedAccount': 'Your account was closed on the day of this meal.',
  'rewards.why.cardUnknown': 'The card that paid for this meal is not linked.',
  'rewards.why.cardLinkedTooLate':
    'Your card was linked on {linkedOn} and earns from {earnsFrom}. This meal was before that.',
  'rewards.why.merchantUnknown':
    'We are still finding out whether this place takes part. Please allow up to two weeks.',
  'rewards.why.merchantNotYetJoined': '{merchant} joined the program on {joinedOn}, after this meal.',
  'rewards.why.merchantLeft': '{merchant} left the program on {leftOn}, before this meal.',
  'rewards.why.merchantNotParticipating': '{merchant} did not take part in the program on the day of this meal.',
  'rewards.why.noOffer': '{merchant} gave no reward on the day of this meal.',
  'rewards.why.dayWithoutReward': '{merchant} gives no reward on {weekday}.',
  'rewards.why.visitsUsedUp':
    'You had already earned at {merchant} {limit} times that month, which is the most it rewards.',
  'rewards.why.visitsUsedUp_one': 'You had already earned at {merchant} that month. It rewards one visit a month.',
  'rewards.why.reservationBonus':
    'You reserved your table at {merchant} here, came and paid with a linked card: {benefit} extra.',
  'rewards.why.reservationBonus_lost':
    'The dinner at {merchant} earns nothing any more, so its reservation bonus is gone, too.',
  'rewards.why.unexplained':
    'This entry was made by hand. Write to {supportEmail} or call {supportPhone} to hear more.',
  'rewards.status.plain.Awarded': '',
  'rewards.status.plain.Paid': '',
  'rewards.status.plain.Forfeit': 'Expired',
  'rewards.status.plain.Pending': 'Pending Review',
  'rewards.status.plain.Pending_old': 'Review expired',
  'rewards.status.plain.Deferred': 'Being checked',
  'rewards.status.translated.Awarded': 'In your balance',
  'rewards.status.translated.Paid': 'Paid {paidOn}',
  'rewards.status.translated.Forfeit': 'Not earned',
  'rewards.status.translated.Pending': 'Pending',
  'rewards.status.translated.Deferred': 'Being checked',
  'rewards.status.fuel.Awarded': '',
  'rewards.status.fuel.Paid': '',
  'rewards.status.fuel.Forfeit': 'Not earned, did not qualify',
  'rewards.status.fuel.Pending': 'Processing',
  'rewards.status.fuel.Deferred': 'Not earned',
  'rewards.status_details.fuel.Deferred':
    'This is finalized later. Please allow up to two weeks for your {currencyName} to show here.',
  'refusal.tooManyStreams': 'This page is open in many tabs. Close one to see changes arrive here by themselves.',
  'refusal.badSignature': 'The signature does not fit the message.',
  'refusal.staleTimestamp': 'The message is more than five minutes old, or from the future.',
  'refusal.otherProgram': 'This message belongs to another program.',
  'refusal.cardNumber': 'The message holds what looks like a whole card number. It was not kept.',
  'refusal.notJson': 'The message is not JSON.',
  'refusal.tooManyLines': 'A batch has at most 500 lines.',
} as const
