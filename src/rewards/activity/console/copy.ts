/** What the console says about transactions, by key. */
export const transactionsConsoleCopy = {
  'console.transactions.amount': 'Enter an amount in dollars, such as 42.10.',
} as const
