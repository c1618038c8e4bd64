/** Words about reviewing a meal. */
export const reviewsCopy = {
  'reviews.review': 'Review this meal',
  'reviews.review_for': 'Review this meal to earn',
  'reviews.reviewed': 'Reviewed',
  'reviews.new_tab': '(opens in a new tab)',
  'refusal.reviewNotFound': 'There is no such meal.',
  'refusal.reviewNotPossible': 'This meal can no longer be reviewed.',
} as const
