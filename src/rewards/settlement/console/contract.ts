import { defineCall } from '../../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { ClosePreview, SettledRestaurant, SettlementMonth, StatementDetail } from './schemas.ts'

const settlement = '/api/programs/:program/settlement'

export const listSettlement = defineCall<typeof schemas.listSettlement>()({
  id: 'listSettlement',
  method: 'GET',
  path: settlement,
  access: 'operator',
  permission: 'settlement.read',
})

export const exportSettlement = defineCall<typeof schemas.exportSettlement>()({
  id: 'exportSettlement',
  method: 'GET',
  path: '/api/programs/:program/settlement.csv',
  access: 'operator',
  permission: 'settlement.read',
  audited: true,
})

export const getSettlementMonth = defineCall<typeof schemas.getSettlementMonth>()({
  id: 'getSettlementMonth',
  method: 'GET',
  path: `${settlement}/month`,
  access: 'operator',
  permission: 'settlement.read',
})

export const getSettlementFile = defineCall<typeof schemas.getSettlementFile>()({
  id: 'getSettlementFile',
  method: 'GET',
  path: `${settlement}/days/:day`,
  access: 'operator',
  permission: 'settlement.read',
  audited: true,
})

export const getStatement = defineCall<typeof schemas.getStatement>()({
  id: 'getStatement',
  method: 'GET',
  path: `${settlement}/statements/:merchant`,
  access: 'operator',
  permission: 'settlement.read',
})

export const getStatementFile = defineCall<typeof schemas.getStatementFile>()({
  id: 'getStatementFile',
  method: 'GET',
  path: `${settlement}/statements/:merchant/file`,
  access: 'operator',
  permission: 'settlement.read',
  audited: true,
})

const months = `${settlement}/months/:month`

export const previewCloseMonth = defineCall<typeof schemas.previewCloseMonth>()({
  id: 'previewCloseMonth',
  method: 'POST',
  path: `${months}/preview`,
  access: 'operator',
  permission: 'settlement.edit',
  readOnly: true,
})

export const closeMonth = defineCall<typeof schemas.closeMonth>()({
  id: 'closeMonth',
  method: 'POST',
  path: `${months}/close`,
  access: 'operator',
  permission: 'settlement.edit',
})
