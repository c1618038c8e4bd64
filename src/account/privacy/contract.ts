import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export const exportData = defineCall<typeof schemas.exportData>()({
  id: 'exportData',
  method: 'GET',
  path: '/api/Member/Export',
  access: 'member',
  csrf: true,
  memberOnly: true,
})

export const deleteAccount = defineCall<typeof schemas.deleteAccount>()({
  id: 'deleteAccount',
  method: 'POST',
  path: '/api/Member/Delete',
  access: 'member',
  memberOnly: true,
})
