import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { EmailVerification } from './schemas.ts'

export const getVerification = defineCall<typeof schemas.getVerification>()({
  id: 'getEmailVerification',
  method: 'GET',
  path: '/api/Member/EmailVerification',
  access: 'member',
})

export const sendVerification = defineCall<typeof schemas.sendVerification>()({
  id: 'sendEmailVerification',
  method: 'POST',
  path: '/api/Member/EmailVerification',
  access: 'member',
  memberOnly: true,
})

export const verifyEmail = defineCall<typeof schemas.verifyEmail>()({
  id: 'verifyEmail',
  method: 'POST',
  path: '/api/Member/EmailVerification/Confirm',
  access: 'member',
  memberOnly: true,
})
