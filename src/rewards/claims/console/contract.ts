import { defineCall } from '../../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { ClaimDetail, QueuedClaim, ReplyTemplate } from './schemas.ts'

const claims = '/api/programs/:program/claims'

export const listClaimQueue = defineCall<typeof schemas.listClaimQueue>()({
  id: 'listClaimQueue',
  method: 'GET',
  path: claims,
  access: 'operator',
  permission: 'claims.read',
})

export const getClaim = defineCall<typeof schemas.getClaim>()({
  id: 'getClaim',
  method: 'GET',
  path: `${claims}/:id`,
  access: 'operator',
  permission: 'claims.read',
})

export const decideClaim = defineCall<typeof schemas.decideClaim>()({
  id: 'decideClaim',
  method: 'POST',
  path: `${claims}/:id/decision`,
  access: 'operator',
  permission: 'claims.decide',
})

export const setClaimOwner = defineCall<typeof schemas.setClaimOwner>()({
  id: 'setClaimOwner',
  method: 'POST',
  path: `${claims}/:id/owner`,
  access: 'operator',
  permission: 'claims.decide',
})

const templates = '/api/programs/:program/claim-templates'

export const listReplyTemplates = defineCall<typeof schemas.listReplyTemplates>()({
  id: 'listReplyTemplates',
  method: 'GET',
  path: templates,
  access: 'operator',
  permission: 'claims.read',
})

export const saveReplyTemplate = defineCall<typeof schemas.saveReplyTemplate>()({
  id: 'saveReplyTemplate',
  method: 'POST',
  path: templates,
  access: 'operator',
  permission: 'claims.decide',
})

export const deleteReplyTemplate = defineCall<typeof schemas.deleteReplyTemplate>()({
  id: 'deleteReplyTemplate',
  method: 'DELETE',
  path: `${templates}/:id`,
  access: 'operator',
  permission: 'claims.decide',
})

export const getClaimReceipt = defineCall<typeof schemas.getClaimReceipt>()({
  id: 'getClaimReceipt',
  method: 'GET',
  path: `${claims}/:id/receipt`,
  access: 'operator',
  permission: 'claims.read',
})
