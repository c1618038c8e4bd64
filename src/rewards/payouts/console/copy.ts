/** What the console says about statement credits, by key. */
export const payoutsConsoleCopy = {
  'error.accountBusy': 'Another change of this member is being stored. Please try again in a moment.',
} as const
