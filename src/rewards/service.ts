export { activityCsv } from './answers/activity-csv.ts'
export { diningProgress, readDineSummary } from './answers/dining-progress.ts'
export { judgeMissing } from './answers/judge-missing.ts'
export { readStory } from './answers/meal-story.ts'
export { planGoals } from './answers/plan-goals.ts'
export { quoteMeal } from './answers/quote-meal.ts'
export {
  readCreditBalance,
  readMeal,
  readTransactions,
  readTransactionsAndCredits,
  statusesOf,
  statusWordsOf,
} from './answers/read-activity.ts'
export { feedPaths } from './feed/contract.ts'
export { feedKey } from './feed/feed-key.ts'
export { takeFile } from './feed/files/take-file.ts'
export { receiveEvents, rematchArrived, rematchUnmatched } from './feed/receive-events.ts'
export { type SampleEvent, sampleEvent } from './feed/sample-event.ts'
export { creditByHand } from './meals/credit-by-hand.ts'
export { endWaiting } from './meals/end-waiting.ts'
export { memberFlexOffer, memberFlexOffers, seedFlexOffers } from './meals/flex-offers.ts'
export { keepVip } from './meals/note-vip.ts'
export { recalculate } from './meals/recalculate.ts'
export { settleReservationBonus } from './meals/reservation-bonus.ts'
export { expireReviews, mealByPublicId, noteReview } from './meals/review-meals.ts'
export { tellOfReviews } from './meals/tell-member.ts'
export { httpProcessor } from './payouts/http-processor.ts'
export { ownProcessor } from './payouts/own-processor.ts'
export type { CreditProcessor } from './payouts/processor.ts'
export { settleCredits } from './payouts/statement-credits.ts'
export { settlementFile } from './settlement/settlement-file.ts'
export { readStatement, statementCsv } from './settlement/statement.ts'
export { statementPdf } from './settlement/statement-pdf.ts'
export { type SentEvent, type SimulatedPlace, simulateLife } from './simulate/life.ts'
