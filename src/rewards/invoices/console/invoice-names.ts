import type { ListedInvoice } from './contract.ts'

/** What each state of an invoice is called. */
export const stateNames: Readonly<Record<ListedInvoice['state'], { label: string; color: string }>> = {
  open: { label: 'Open', color: 'blue' },
  overdue: { label: 'Overdue', color: 'red' },
  paid: { label: 'Paid', color: 'green' },
  credit: { label: 'Nothing to pay', color: 'gray' },
}
