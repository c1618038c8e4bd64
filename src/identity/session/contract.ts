import { defineCall } from '../../platform/call.ts'
import { signOutPath } from './rules.ts'
import type * as schemas from './schemas.ts'

export type { OwnSession, SignedIn } from './schemas.ts'

export const getCsrf = defineCall<typeof schemas.getCsrf>()({
  id: 'getCsrf',
  method: 'GET',
  path: '/api/CSRF',
  access: 'anyone',
})

export const signIn = defineCall<typeof schemas.signIn>()({
  id: 'signIn',
  method: 'POST',
  path: '/api/SignIn',
  access: 'anyone',
  memberOnly: true,
})

export const checkNewPassword = defineCall<typeof schemas.checkNewPassword>()({
  id: 'checkNewPassword',
  method: 'POST',
  path: '/api/Members/Validate/Password',
  access: 'anyone',
})

export const listSessions = defineCall<typeof schemas.listSessions>()({
  id: 'listSessions',
  method: 'GET',
  path: '/api/Member/Sessions',
  access: 'member',
})

export const endOwnSession = defineCall<typeof schemas.endOwnSession>()({
  id: 'endOwnSession',
  method: 'DELETE',
  path: '/api/Member/Sessions',
  access: 'member',
  memberOnly: true,
})

export const reauthenticate = defineCall<typeof schemas.reauthenticate>()({
  id: 'prove',
  method: 'POST',
  path: '/api/Member/Prove',
  access: 'member',
  memberOnly: true,
})

export const signOut = defineCall<typeof schemas.signOut>()({
  id: 'signOut',
  method: 'GET',
  path: signOutPath,
  access: 'anyone',
})
