import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { Approval, ApprovalDetail, Effect } from './schemas.ts'

const approvals = '/api/programs/:program/approvals'

export const listApprovals = defineCall<typeof schemas.listApprovals>()({
  id: 'listApprovals',
  method: 'GET',
  path: approvals,
  access: 'operator',
  permission: 'approvals.decide',
})

export const getApproval = defineCall<typeof schemas.getApproval>()({
  id: 'getApproval',
  method: 'GET',
  path: `${approvals}/:id`,
  access: 'operator',
  permission: 'approvals.decide',
})

export const decideApproval = defineCall<typeof schemas.decideApproval>()({
  id: 'decideApproval',
  method: 'POST',
  path: `${approvals}/:id/decision`,
  access: 'operator',
  permission: 'approvals.decide',
})
