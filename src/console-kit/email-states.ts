/** What operators read for the state of an email: in lists, on its page and in a member's timeline. */
export const emailStates = {
  waiting: { label: 'Waiting to be sent', color: 'orange' },
  sent: { label: 'Sent', color: 'green' },
  stored: { label: 'Kept, not sent', color: 'blue' },
  failed: { label: 'Failed', color: 'red' },
  withheld: { label: 'Withheld', color: 'gray' },
} as const

/** Returns the state of an email within a sentence: `sent`; of one of a later version, nothing. */
export const emailStateText = (status: string): string =>
  Object.entries(emailStates)
    .find(([name]) => name === status)?.[1]
    .label.toLowerCase() ?? ''
