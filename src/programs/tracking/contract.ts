import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { Impression } from './schemas.ts'

export const postImpressions = defineCall<typeof schemas.postImpressions>()({
  id: 'postImpressions',
  method: 'POST',
  path: '/api/Impressions',
  access: 'anyone',
  csrf: false,
})
