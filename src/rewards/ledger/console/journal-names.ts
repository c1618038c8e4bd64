import type { ListedEntry, TrialBalance } from './contract.ts'

/** Accounts of the ledger in the words of operators. */
export const accountNames: Readonly<Record<ListedEntry['postings'][number]['account'], string>> = {
  member: 'Member',
  program: 'Program',
  payout: 'Payouts',
  restaurant: 'Restaurant',
  partner: 'Partner',
  platform: 'Platform',
  debt: 'Debts of members',
  bank: 'Bank: paid by restaurants',
}

/** What entries come from. */
export const sourceNames: Readonly<Record<ListedEntry['source'], string>> = {
  transaction: 'Transaction',
  'statement-credit': 'Statement credit',
  adjustment: 'Credit or debit by an operator',
  debt: 'Debt',
  payment: 'Payment of a restaurant',
  merge: 'Merge of two accounts',
}

/** Kinds of entries. */
export const kindNames: Readonly<Record<string, string>> = {
  award: 'Award',
  correction: 'Correction',
  refund: 'Refund',
  'statement-credit': 'Statement credit',
  'returned-credit': 'Returned statement credit',
  adjustment: 'Credit or debit',
  debt: 'Debt moved',
  'written-off-debt': 'Debt written off',
  payment: 'Payment of an invoice',
  'undone-payment': 'Payment taken back',
  merge: 'Balance of a merged account',
}

/** Units of amounts. */
export const unitNames: Readonly<Record<TrialBalance['sums'][number]['unit'], string>> = {
  mile: 'Miles',
  point: 'Points',
  cent: 'Money',
}
