/** What the console says about the journal, by key. */
export const ledgerConsoleCopy = {
  'console.journal.amount': 'Enter an amount, such as 4.21 for dollars, or 126.',
} as const
