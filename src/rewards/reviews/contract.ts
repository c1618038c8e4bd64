import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { ReviewStatus } from './schemas.ts'

export const getReviewStatus = defineCall<typeof schemas.getReviewStatus>()({
  id: 'getReviewStatus',
  method: 'GET',
  path: '/api/reviews/status',
  access: 'member',
})

export const receiveReview = defineCall<typeof schemas.receiveReview>()({
  id: 'receiveReview',
  method: 'POST',
  path: '/api/reviews/callback',
  access: 'machine',
})
