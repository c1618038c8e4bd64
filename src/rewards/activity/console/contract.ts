import { defineCall } from '../../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { ListedTransaction, RecalculationPreview, TransactionDetail } from './schemas.ts'

const transactions = '/api/programs/:program/transactions'

export const listTransactions = defineCall<typeof schemas.listTransactions>()({
  id: 'listTransactions',
  method: 'GET',
  path: transactions,
  access: 'operator',
  permission: 'transactions.read',
})

export const exportTransactions = defineCall<typeof schemas.exportTransactions>()({
  id: 'exportTransactions',
  method: 'GET',
  path: '/api/programs/:program/transactions.csv',
  access: 'operator',
  permission: 'transactions.read',
  audited: true,
})

export const getTransaction = defineCall<typeof schemas.getTransaction>()({
  id: 'getTransaction',
  method: 'GET',
  path: `${transactions}/:id`,
  access: 'operator',
  permission: 'transactions.read',
  audited: true,
})

const recalculations = '/api/programs/:program/recalculations'

export const previewRecalculation = defineCall<typeof schemas.previewRecalculation>()({
  id: 'previewRecalculation',
  method: 'POST',
  path: `${recalculations}/preview`,
  access: 'operator',
  permission: 'ledger.adjust',
  readOnly: true,
})

export const recalculateTransactions = defineCall<typeof schemas.recalculateTransactions>()({
  id: 'recalculateTransactions',
  method: 'POST',
  path: recalculations,
  access: 'operator',
  permission: 'ledger.adjust',
})
