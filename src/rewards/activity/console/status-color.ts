import type { ListedTransaction } from './contract.ts'

export const statusColor: Readonly<Record<ListedTransaction['awardStatus'], string>> = {
  Awarded: 'green',
  Paid: 'green',
  Pending: 'blue',
  Deferred: 'orange',
  Forfeit: 'gray',
}
