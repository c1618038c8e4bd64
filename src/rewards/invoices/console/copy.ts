/** What the console says about invoices, by key. */
export const invoicesConsoleCopy = {
  'error.paymentKnown': 'This payment is recorded already. A second one needs another day, amount or reference.',
  'console.invoices.amount': 'Enter dollars above zero, such as 1,234.56.',
  'console.invoices.tooMuch': 'This is more than is open.',
  'console.invoices.isPaid': 'Nothing is open on this invoice.',
  'console.invoices.dayToCome': 'This day is still to come.',
  'console.invoices.reference': 'The reference may have at most 200 characters.',
  'console.invoices.fileTooLarge': 'This file is too large. Split it into files of at most 5,000 lines.',
} as const
