/** Texts about what a transaction earned, and why. Amounts are formatted: `$42.10`, `126 miles`. */
export const rewardsCopy = {
  'rewards.why.earned': 'You earned {benefit} on {amount} at {merchant}.',
  'rewards.why.earned_given':
    'You earned {benefit} on {amount} at {merchant}, at the membership level we gave you for a while.',
  'rewards.why.earned_given_pending':
    '{benefit} on the way for {amount} at {merchant}, at the membership level we gave you for a while. The final bill, including tip, sets the exact amount.',
  'rewards.why.earned_leftOut':
    'You earned {benefit} at {merchant}: of {amount}, {counted} counted, without {leftOut}.',
  'rewards.why.earned_leftOut_pending':
    '{benefit} on the way for {merchant}: of {amount}, {counted} counts, without {leftOut}. The final bill sets the exact amount.',
  'rewards.why.earned_pending':
    '{benefit} on the way for {amount} at {merchant}. The final bill, including tip, sets the exact amount.',
  'rewards.why.earnedUpToLimit':
    'You earned {benefit}. {merchant} rewards up to {limit} per visit, so {limit} of the {amount} counted.',
  'rewards.why.earnedUpToLimit_pending':
    '{benefit} on the way. {merchant} rewards up to {limit} per visit, so {limit} of the {amount} counts.',
  'rewards.why.partlyRefunded': '{refunded} of {amount} was refunded to your card. You keep {benefit} for the rest.',
  'rewards.why.partlyRefunded_pending':
    '{refunded} of {amount} came back to your card. For the rest, {benefit} on the way.',
  'rewards.why.partlyRefunded_counted':
    '{refunded} of {amount} was refunded to your card. Of the rest, {counted} counts: you keep {benefit}.',
  'rewards.why.partlyRefunded_counted_pending':
    '{refunded} of {amount} came back to your card. Of the rest, {counted} counts: {benefit} on the way.',
  'rewards.why.partlyRefunded_maximum':
    '{refunded} of {amount} was refunded to your card. You keep {benefit}, the most one meal can earn.',
  'rewards.why.partlyRefunded_maximum_pending':
    '{refunded} of {amount} came back to your card. {benefit} on the way, the most one meal can earn.',
  'rewards.why.refunded': '{merchant} refunded this meal, so it earns nothing.',
  'rewards.why.reversed': 'This payment was canceled before it was charged, so it earns nothing.',
  'rewards.why.belowStep': 'Rewards here start at {needed}. This meal came to {amount}.',
  'rewards.why.belowStep_pending': 'Rewards here start at {needed}. So far this meal comes to {amount}.',
  'rewards.why.belowStep_refunded':
    'Rewards here start at {needed}. After a refund of {refunded}, this meal came to {counted}.',
  'rewards.why.belowStep_leftOut': 'Rewards here start at {needed}. Without {leftOut}, this meal came to {counted}.',
  'rewards.why.belowStep_refundedLeftOut':
    'Rewards here start at {needed}. After a refund of {refunded}, and without {leftOut}, this meal came to {counted}.',
  'rewards.why.belowStep_limited':
    'Rewards here start at {needed}. Of this meal, {counted} was within the limit of {merchant}.',
  'rewards.why.belowStep_refunded_pending':
    'Rewards here start at {needed}. After a refund of {refunded}, this meal comes to {counted} so far.',
  'rewards.why.belowStep_leftOut_pending':
    'Rewards here start at {needed}. Without {leftOut}, this meal comes to {counted} so far.',
  'rewards.why.belowStep_refundedLeftOut_pending':
    'Rewards here start at {needed}. After a refund of {refunded}, and without {leftOut}, this meal comes to {counted} so far.',
  'rewards.why.belowStep_limited_pending':
    'Rewards here start at {needed}. Of this meal, {counted} is within the limit of {merchant} so far.',
  'rewards.why.tierWithoutReward': 'Your membership level did not earn rewards on the day of this meal.',
  'rewards.why.currencyNotSupported': 'This meal was paid in {currency}. Only meals paid in US dollars earn.',
  'rewards.why.closedAccount': 'Your account was closed on the day of this meal.',
  'rewards.why.cardUnknown': 'The card that paid for this meal is not linked.',
  'rewards.why.cardLinkedTooLate':
    'Your card was linked on {linkedOn} and earns from {earnsFrom}. This meal was before that.',
  'rewards.why.merchantUnknown': 'We’re checking whether this restaurant participates. Please allow up to two weeks.',
  'rewards.why.merchantNotYetJoined': '{merchant} joined the program on {joinedOn}, after this meal.',
  'rewards.why.merchantLeft': '{merchant} left the program on {leftOn}, before this meal.',
  'rewards.why.merchantNotParticipating': '{merchant} wasn’t participating in the program on the day of this meal.',
  'rewards.why.noOffer': '{merchant} offered no reward on the day of this meal.',
  'rewards.why.dayWithoutReward': '{merchant} offers no reward on {weekday}.',
  'rewards.why.dayWithoutReward_night':
    '{merchant} rewards the nights that begin on {weekday}, from {from} to {until}. This meal was in the night before.',
  'rewards.why.visitsUsedUp': 'You had already earned at {merchant} {limit} times that month, the most it rewards.',
  'rewards.why.visitsUsedUp_one': 'You had already earned at {merchant} that month. It rewards one visit per month.',
  'rewards.goal.title': 'Within reach',
  'rewards.goal.find': 'Find restaurants that count',
  'rewards.goal.vip': '{count} more dines to reach VIP by {by}',
  'rewards.goal.vip_one': 'One more dine to reach VIP by {by}',
  'rewards.goal.vip_keep': '{count} more dines by {by} to stay VIP in {year}',
  'rewards.goal.vip_keep_one': 'One more dine by {by} to stay VIP in {year}',
  'rewards.goal.vip_keep_dollars': 'Spend {amount} more by {by} to stay VIP in {year}',
  'rewards.goal.vip_dollars': 'Spend {amount} more by {by} to reach VIP',
  'rewards.goal.credit':
    'Earn {left} more to reach {full}, when we send your balance to your statement: a bill of {bill} gets you there',
  'rewards.goal.step': 'A bill of {bill} earns the next {benefit}',
  'rewards.goal.bonus': '{bonus}: {count} to go by {by} for {benefit}',
  'rewards.goal.bonus_one': '{bonus}: one to go by {by} for {benefit}',
  'rewards.story.at': '{moment}',
  'rewards.story.at_gmt': '{moment} GMT',
  'rewards.story.steps': 'What happened',
  'rewards.story.sum': 'How it adds up',
  'rewards.story.next': 'What happens next',
  'rewards.story.failed': 'We can’t show the details of this meal right now.',
  'rewards.story.seen': 'Card ending in {lastFour} used at {merchant}: {amount}',
  'rewards.story.charged': 'Charged: {amount}',
  'rewards.story.charged_more': 'Charged: {amount}, {more} more than first authorized (the tip)',
  'rewards.story.refunded': 'Refunded: {amount}',
  'rewards.story.posted': 'Posted: {benefit}',
  'rewards.story.added': 'Added: {benefit}',
  'rewards.story.taken_back': 'Taken back: {benefit}',
  'rewards.story.replaced': 'The card network reported the payment, so our credit was taken back: {benefit}',
  'rewards.story.replaces': 'It took the place of the credit of your claim',
  'rewards.story.reviewed': 'You reviewed it',
  'rewards.story.sent': 'Sent as a statement credit: {target}',
  'rewards.story.on_its_way': 'On its way as a statement credit: {target}',
  'rewards.story.next_clearing':
    'The restaurant sends the final amount, including tip, usually by {by}. Then your reward is final.',
  'rewards.story.next_review': 'Review the meal by {by} to earn it.',
  'rewards.story.next_deferred': 'We’re checking this purchase. You’ll see the result here by {by}.',
  'rewards.story.next_held': 'The program holds this reward until {by} in case of a refund. Then it’s yours.',
  'rewards.story.next_credit':
    'It is in your balance. Earn {left} more to reach {full}, when we send your balance to your statement.',
  'rewards.sum.bill': 'Your bill',
  'rewards.sum.refunded': 'Refunded',
  'rewards.sum.left_out': 'Tip and tax that don’t count',
  'rewards.sum.counted': 'Maximum that counts here',
  'rewards.sum.steps': 'Counted in steps of {step}',
  'rewards.sum.maximum': 'Most that one meal can earn',
  'rewards.sum.rate': 'Your rate',
  'rewards.sum.offer': 'Restaurant’s rate',
  'rewards.sum.benefit': 'You earn',
  'error.transactionNotFound': 'We could not find this meal.',
  'rewards.quote.title': 'What would my meal earn?',
  'rewards.quote.amount': 'Bill with tax and tip',
  'rewards.quote.amount_withoutTip': 'Bill with tax, without tip',
  'rewards.quote.amount_withoutTax': 'Bill with tip, without tax',
  'rewards.quote.amount_withoutBoth': 'Bill without tax and tip',
  'rewards.quote.maximum': 'The most that one meal can earn',
  'rewards.quote.amount_wrong': 'Enter an amount from $0.01 to $99,999.99, such as 60, 72.50 or 1,000.',
  'rewards.quote.date_past': 'Choose today or a later day.',
  'rewards.quote.other_time': 'On another day or time',
  'rewards.quote.payment': 'Paying with',
  'rewards.quote.card': 'Card',
  'rewards.quote.card_ending': '{description} ending in {lastFour}',
  'rewards.quote.pin': 'A debit card with a PIN',
  'rewards.quote.date': 'Date',
  'rewards.quote.time': 'Time',
  'rewards.quote.earns': 'A bill of {amount} earns {benefit}.',
  'rewards.quote.earns_newMember': 'A bill of {amount} earns members {benefit}.',
  'rewards.quote.rate_emails': '{rate} for members who receive our emails',
  'rewards.quote.rate_vip': '{rate} for VIP members',
  'rewards.quote.earns_nothing': 'A bill of {amount} earns nothing.',
  'rewards.quote.bonus': '+ {bonus} for your reserved table',
  'rewards.quote.rate': '{rate}',
  'rewards.quote.counted': '{counted} of the bill counts',
  'rewards.quote.visits_left': '{left} of {limit} rewarded visits left that month',
  'rewards.quote.no_limit': 'No limit on amount or visits',
  'rewards.quote.card_missing': 'You haven’t linked a card yet. Link one before you go.',
  'rewards.quote.link_card': 'Link a card',
  'rewards.quote.failed': 'We can’t calculate this right now. Please try again in a moment.',
  'rewards.quote.excluded_title': 'What does not count',
  'rewards.quote.excluded':
    'Meals paid with another card, in cash or with a gift card; orders paid to a delivery service; gift cards you buy.',
  'rewards.quote.excluded_fuel':
    'Meals paid with another card, in cash or with a gift card; orders paid to a delivery service; gift cards you buy; debit cards used with a PIN: ask for credit instead.',
  'rewards.quote.parts': 'Tax and tip count.',
  'rewards.quote.parts_withoutTip': 'Tax counts, the tip does not.',
  'rewards.quote.parts_withoutTax': 'The tip counts, tax does not.',
  'rewards.quote.parts_withoutBoth': 'Tax and tip do not count.',
  'rewards.why.accessLocked_activate':
    '{merchant} rewards members whose account is active. Activate yours to earn here.',
  'rewards.why.accessLocked_2': '{merchant} rewards members who receive our emails. Opt in to earn here next time.',
  'rewards.why.accessLocked_3': '{merchant} rewards VIP members.',
  'error.flexOfferNotFound': 'You don’t have a personal offer here.',
  'rewards.why.earnedUpToMonth':
    'You earned {benefit}. {merchant} rewards up to {limit} per month, so {counted} of the {amount} counted.',
  'rewards.why.earnedUpToMonth_pending':
    '{benefit} on the way. {merchant} rewards up to {limit} per month, so {counted} of the {amount} counts.',
  'rewards.why.earnedUpToMaximum': 'You earned {benefit} at {merchant}, the most one meal can earn.',
  'rewards.why.earnedUpToMaximum_pending': '{benefit} on the way for {merchant}, the most one meal can earn.',
  'rewards.why.neverCharged': '{merchant} never charged the {amount} your card approved, so nothing was earned.',
  'rewards.why.belowMinimum': 'Meals of {needed} or more earn here. This one came to {amount}.',
  'rewards.why.belowMinimum_pending': 'Meals of {needed} or more earn here. So far this one comes to {amount}.',
  'rewards.why.belowMinimum_refunded':
    'Meals of {needed} or more earn here. After a refund of {refunded}, this one came to {counted}.',
  'rewards.why.belowMinimum_leftOut':
    'Meals of {needed} or more earn here. Without {leftOut}, this one came to {counted}.',
  'rewards.why.belowMinimum_refundedLeftOut':
    'Meals of {needed} or more earn here. After a refund of {refunded}, and without {leftOut}, this one came to {counted}.',
  'rewards.why.belowMinimum_refunded_pending':
    'Meals of {needed} or more earn here. After a refund of {refunded}, this one comes to {counted} so far.',
  'rewards.why.belowMinimum_leftOut_pending':
    'Meals of {needed} or more earn here. Without {leftOut}, this one comes to {counted} so far.',
  'rewards.why.belowMinimum_refundedLeftOut_pending':
    'Meals of {needed} or more earn here. After a refund of {refunded}, and without {leftOut}, this one comes to {counted} so far.',
  'rewards.why.debitWithPin':
    'This meal was paid by debit card with a PIN, which doesn’t earn. Next time, ask for credit and sign.',
  'rewards.why.processingChanged':
    '{merchant} changed how it processes cards on {changedOn}. This payment came through its old system. Please contact us, and we’ll look into it.',
  'rewards.why.locationNotEnrolled': 'This {brand} location doesn’t participate. Other {brand} locations do.',
  'rewards.why.hourWithoutReward': '{merchant} rewards meals from {from} to {until} that day.',
  'rewards.why.monthlySpendUsedUp': 'You had already reached the {limit} that {merchant} rewards per month.',
  'rewards.why.held': 'You earned {benefit} on {amount} at {merchant}. It posts in a while: a refund may still come.',
  'rewards.why.merchantUnknown_over': 'We couldn’t find this restaurant in the program.',
  'rewards.why.reservationBonus':
    'Reservation bonus: {benefit} extra. You reserved your table at {merchant} here and paid with a linked card.',
  'rewards.why.reservationBonus_lost':
    'Your meal at {merchant} no longer earns, so its reservation bonus was taken back.',
  'rewards.why.reservationBonus_canceled':
    'You canceled or moved your reservation at {merchant}, so its bonus was taken back.',
  'rewards.why.bonus': '{bonus}: completed. {benefit} extra.',
  'rewards.why.bonus_lost': '{bonus}: a meal that counted toward it was refunded, so the bonus was taken back.',
  'rewards.why.countedElsewhere':
    'Your card has moved back to another program, and your meal at {merchant} counts there. A meal is rewarded once.',
  'rewards.why.reportedTwice':
    'The card network has reported this payment at {merchant} twice. It counts once, on its other line.',
  'rewards.why.replacedByTransaction':
    'The card network has now reported your payment at {merchant}. It earned on its own, so we took back our credit.',
  'rewards.why.creditedByHand': 'You reported this meal at {merchant}, and we credited {benefit}.',
  'rewards.why.unexplained':
    'This entry was made by hand. To learn more, contact {supportEmail} or call {supportPhone}.',
  'rewards.why.awaitsReview': 'Review your meal at {merchant} by {reviewBy} to earn {benefit}.',
  'rewards.why.reviewExpired': 'This meal needed a review by {reviewBy} to earn. We didn’t get one.',
  'rewards.status.open': 'Open',
  'rewards.status.review': 'Pending Review',
  'rewards.status.held': 'Pending',
  'rewards.status.checking': 'Being checked',
  'rewards.status.posted': 'Posted',
  'rewards.status.paid': 'Paid {paidOn}',
  'rewards.status.bonus': 'Bonus',
  'rewards.status.bonusTakenBack': 'Bonus taken back',
  'rewards.status.refunded': 'Refunded',
  'rewards.status.canceled': 'Canceled',
  'rewards.status.expired': 'Expired',
  'rewards.status.reviewExpired': 'Review expired',
  'rewards.status.belowMinimum': 'Below the minimum',
  'rewards.status.outsideOffer': 'Outside the offer',
  'rewards.status.limitReached': 'Limit reached',
  'rewards.status.replaced': 'Replaced',
  'rewards.status.notEarned': 'Not earned',
  'rewards.status.plain.posted': '',
  'rewards.status.translated.open': 'Pending',
  'rewards.status.translated.posted': 'In your balance',
  'rewards.status.translated.bonus': 'Bonus, in your balance',
  'rewards.status.fuel.open': 'Processing',
  'rewards.status.fuel.held': 'Not earned',
  'rewards.status.fuel.checking': 'Not earned',
  'rewards.status.fuel.posted': '',
  'rewards.status.fuel.notEarned': 'Not earned, did not qualify',
  'rewards.status_details.fuel.held':
    'This is finalized later. Please allow up to two weeks for your {currencyName} to show here.',
  'rewards.status_details.fuel.checking':
    'This is finalized later. Please allow up to two weeks for your {currencyName} to show here.',
  'error.tooManyStreams': 'This page is open in many tabs. Close one to see changes here automatically.',
  'error.malformedEvent': 'This is not a valid event.',
  'error.badSignature': 'The signature does not match the message.',
  'error.staleTimestamp': 'The message is more than five minutes old, or from the future.',
  'error.otherProgram': 'This message belongs to another program.',
  'error.futureDate': 'The message is dated in the future.',
  'error.tooManyWaiting': 'Too many messages are waiting. Please send this one again later.',
  'error.cardNumber': 'The message contains what looks like a full card number. It was not stored.',
  'error.notJson': 'The message is not JSON.',
  'error.tooManyLines': 'A batch has at most 500 lines.',
} as const
