import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export const requestRecovery = defineCall<typeof schemas.requestRecovery>()({
  id: 'requestRecovery',
  method: 'POST',
  path: '/api/Members/Recover',
  access: 'anyone',
  memberOnly: true,
})

export const confirmRecovery = defineCall<typeof schemas.confirmRecovery>()({
  id: 'confirmRecovery',
  method: 'POST',
  path: '/api/Members/Recover/Confirm',
  access: 'anyone',
  memberOnly: true,
})

export const updateRecovery = defineCall<typeof schemas.updateRecovery>()({
  id: 'updateRecovery',
  method: 'POST',
  path: '/api/Members/Recover/Update',
  access: 'anyone',
  memberOnly: true,
})

export const fixCredentials = defineCall<typeof schemas.fixCredentials>()({
  id: 'fixCredentials',
  method: 'POST',
  path: '/api/Member/FixCredentials',
  access: 'member',
  memberOnly: true,
})
