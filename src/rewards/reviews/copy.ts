/** Texts about reviewing a transaction. */
export const reviewsCopy = {
  'reviews.review': 'Review this meal',
  'reviews.review_for': 'Review this meal to earn',
  'reviews.reviewed': 'Reviewed',
  'reviews.new_tab': '(opens in a new tab)',
  'error.reviewNotFound': 'We couldn’t find this meal.',
  'error.reviewNotPossible': 'This meal can no longer be reviewed.',
} as const
