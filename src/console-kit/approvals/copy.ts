/** What the console says about requests that need a second person, by key. */
export const approvalsCopy = {
  'error.ownRequest': 'You asked for this yourself. A second person decides it.',
  'console.reason_long': 'The reason may have at most 200 characters.',
} as const
