/** What the form service itself says; everything else is in the form. */
export const words = {
  required: 'Please answer this question.',
  choose: 'Please choose one of these.',
  tooLong: (most: number) => `Please use at most ${most} characters.`,
  check: 'Some answers are missing. Please look at the marked questions.',
  failed: 'There was an issue processing your survey. Your answers are still here: please try again.',
  tooMany: 'That was a little too fast. Please wait a minute and try again.',
  noForm: 'There is no such form.',
  optional: 'optional',
}
