import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export const activate = defineCall<typeof schemas.activate>()({
  id: 'activate',
  method: 'POST',
  path: '/api/Member/Activate',
  access: 'anyone',
})

export const activateById = defineCall<typeof schemas.activateById>()({
  id: 'activateById',
  method: 'POST',
  path: '/api/Members/:publicId/Activate',
  access: 'anyone',
})
