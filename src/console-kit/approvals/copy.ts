/** What the console says about requests that need a second person, by key. */
export const approvalsCopy = {
  'error.ownRequest': 'You asked for this yourself. A second person decides it.',
  'error.dependentOperator':
    'The one who asked for this has invited you, or changed your access, within the last 30 days. Somebody else approves it.',
  'console.reason_long': 'The reason may have at most 200 characters.',
} as const
