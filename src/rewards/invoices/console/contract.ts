import { defineCall } from '../../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { InvoiceDetail, ListedInvoice, PaymentsPreview } from './schemas.ts'

const invoices = '/api/programs/:program/invoices'

export const listInvoices = defineCall<typeof schemas.listInvoices>()({
  id: 'listInvoices',
  method: 'GET',
  path: invoices,
  access: 'operator',
  permission: 'settlement.read',
})

export const exportInvoices = defineCall<typeof schemas.exportInvoices>()({
  id: 'exportInvoices',
  method: 'GET',
  path: '/api/programs/:program/invoices.csv',
  access: 'operator',
  permission: 'settlement.read',
  audited: true,
})

export const getInvoice = defineCall<typeof schemas.getInvoice>()({
  id: 'getInvoice',
  method: 'GET',
  path: `${invoices}/:id`,
  access: 'operator',
  permission: 'settlement.read',
})

export const addPayment = defineCall<typeof schemas.addPayment>()({
  id: 'addPayment',
  method: 'POST',
  path: `${invoices}/:id/payments`,
  access: 'operator',
  permission: 'settlement.edit',
})

export const undoPayment = defineCall<typeof schemas.undoPayment>()({
  id: 'undoPayment',
  method: 'POST',
  path: `${invoices}/:id/payments/:payment/undo`,
  access: 'operator',
  permission: 'settlement.edit',
})

export const previewPayments = defineCall<typeof schemas.previewPayments>()({
  id: 'previewPayments',
  method: 'POST',
  path: '/api/programs/:program/invoice-payments/preview',
  access: 'operator',
  permission: 'settlement.edit',
  readOnly: true,
})

export const importPayments = defineCall<typeof schemas.importPayments>()({
  id: 'importPayments',
  method: 'POST',
  path: '/api/programs/:program/invoice-payments',
  access: 'operator',
  permission: 'settlement.edit',
})
