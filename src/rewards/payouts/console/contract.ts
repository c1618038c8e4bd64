import { defineCall } from '../../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { CreditDetail, DecisionPreview, ListedCredit } from './schemas.ts'

const credits = '/api/programs/:program/payouts'

export const listCredits = defineCall<typeof schemas.listCredits>()({
  id: 'listCredits',
  method: 'GET',
  path: credits,
  access: 'operator',
  permission: 'payouts.read',
})

export const exportCredits = defineCall<typeof schemas.exportCredits>()({
  id: 'exportCredits',
  method: 'GET',
  path: '/api/programs/:program/payouts.csv',
  access: 'operator',
  permission: 'payouts.read',
  audited: true,
})

export const getCredit = defineCall<typeof schemas.getCredit>()({
  id: 'getCredit',
  method: 'GET',
  path: `${credits}/:id`,
  access: 'operator',
  permission: 'payouts.read',
})

export const askProcessor = defineCall<typeof schemas.askProcessor>()({
  id: 'askProcessor',
  method: 'POST',
  path: `${credits}/:id/ask`,
  access: 'operator',
  permission: 'payouts.decide',
})

export const previewCreditDecision = defineCall<typeof schemas.previewCreditDecision>()({
  id: 'previewCreditDecision',
  method: 'POST',
  path: `${credits}/:id/preview`,
  access: 'operator',
  permission: 'payouts.decide',
  readOnly: true,
})

export const decideCredit = defineCall<typeof schemas.decideCredit>()({
  id: 'decideCredit',
  method: 'POST',
  path: `${credits}/:id/decision`,
  access: 'operator',
  permission: 'payouts.decide',
})
