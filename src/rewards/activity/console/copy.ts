/** What the console says about transactions, by key. */
export const transactionsConsoleCopy = {
  'error.tooManyMembers': 'This concerns more than 200 members. Choose fewer days, or one restaurant.',
  'console.transactions.span': 'Choose the first and the last day.',
  'console.transactions.amount': 'Enter an amount in dollars, such as 42.10.',
} as const
