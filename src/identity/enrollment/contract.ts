import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export const join = defineCall<typeof schemas.join>()({
  id: 'join',
  method: 'POST',
  path: '/api/Members/Prospects',
  access: 'anyone',
  memberOnly: true,
})

export const registerProspect = defineCall<typeof schemas.registerProspect>()({
  id: 'registerProspect',
  method: 'POST',
  path: '/api/Members/Prospects/Email',
  access: 'anyone',
})

export const validateEmail = defineCall<typeof schemas.validateEmail>()({
  id: 'validateEmail',
  method: 'GET',
  path: '/api/Members/Validate/Email',
  access: 'anyone',
})
