import { defineCall } from '../../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { Passkey } from './schemas.ts'

export const listPasskeys = defineCall<typeof schemas.listPasskeys>()({
  id: 'listPasskeys',
  method: 'GET',
  path: '/api/Member/Passkeys',
  access: 'member',
})

export const beginPasskey = defineCall<typeof schemas.beginPasskey>()({
  id: 'beginPasskey',
  method: 'POST',
  path: '/api/Member/Passkeys/Options',
  access: 'member',
  memberOnly: true,
})

export const addPasskey = defineCall<typeof schemas.addPasskey>()({
  id: 'addPasskey',
  method: 'POST',
  path: '/api/Member/Passkeys',
  access: 'member',
  memberOnly: true,
})

export const removePasskey = defineCall<typeof schemas.removePasskey>()({
  id: 'removePasskey',
  method: 'DELETE',
  path: '/api/Member/Passkeys',
  access: 'member',
  memberOnly: true,
})

export const beginPasskeySignIn = defineCall<typeof schemas.beginPasskeySignIn>()({
  id: 'beginPasskeySignIn',
  method: 'POST',
  path: '/api/SignIn/Passkey/Options',
  access: 'anyone',
})

export const signInWithPasskey = defineCall<typeof schemas.signInWithPasskey>()({
  id: 'signInWithPasskey',
  method: 'POST',
  path: '/api/SignIn/Passkey',
  access: 'anyone',
  memberOnly: true,
})
