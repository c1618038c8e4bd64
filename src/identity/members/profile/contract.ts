import { defineCall } from '../../../platform/call.ts'
import type * as schemas from './schemas.ts'

export const updateMember = defineCall<typeof schemas.updateMember>()({
  id: 'updateMember',
  method: 'PUT',
  path: '/api/Member',
  access: 'member',
})
