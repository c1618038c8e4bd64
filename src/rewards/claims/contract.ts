import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { Claim, Explanation, Sentence } from './schemas.ts'

export const explainMissing = defineCall<typeof schemas.explainMissing>()({
  id: 'explainMissing',
  method: 'POST',
  path: '/api/Member/MissingMeals',
  access: 'member',
  readOnly: true,
})

export const listClaims = defineCall<typeof schemas.listClaims>()({
  id: 'listClaims',
  method: 'GET',
  path: '/api/Member/Claims',
  access: 'member',
})

export const openClaim = defineCall<typeof schemas.openClaim>()({
  id: 'openClaim',
  method: 'POST',
  path: '/api/Member/Claims',
  access: 'member',
})
