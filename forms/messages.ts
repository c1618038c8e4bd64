/** Texts of the form service itself; all others are part of the form. */
export const messages = {
  required: 'Please answer this question.',
  choose: 'Please choose one of these.',
  tooLong: (label: string, max: number) => `“${label}” may have at most ${max} characters.`,
  invisible: 'This has an invisible character, perhaps from a copied text. Please type that part again.',
  check: 'Please check the marked questions.',
  failed: 'There was an issue processing your survey. Your answers are still here: please try again.',
  tooMany: 'That was a little too fast. Please wait a minute and try again.',
  noForm: 'We could not find this form.',
  optional: 'optional',
  reviewTitle: (merchant: string) => `How was ${merchant}?`,
  reviewIntro: (day: string) =>
    `About your meal on ${day}. Your rating and comment will show on the restaurant’s page with your first name and last initial.`,
  reviewRating: 'Your meal',
  reviewLow: 'Not for me',
  reviewHigh: 'Wonderful',
  reviewComment: 'What should others know?',
  reviewSubmit: 'Send review',
  reviewAgain:
    'You have sent a review of this meal before. Only the first one counts, so this one adds nothing. You can close this tab.',
  reviewThanks: 'Thank you. Your review is on its way to the restaurant’s page. You can close this tab.',
}
