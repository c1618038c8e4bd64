import { z } from 'zod'
import { defineCall } from '../../../platform/call.ts'
import { SignedIn } from '../contract.ts'

/** Input and output of the browser's WebAuthn functions; the library validates every part. */
const CeremonyOptions = z.looseObject({ challenge: z.string() })
const base64url = z.string().regex(/^[\w-]+$/)

const AuthenticatorCredential = z.looseObject({
  id: base64url.max(1400),
  rawId: base64url.max(1400),
  type: z.literal('public-key'),
  response: z.record(z.string().max(40), z.unknown()),
  clientExtensionResults: z.record(z.string().max(40), z.unknown()).default({}),
})

export const Passkey = z.object({
  id: z.uuid(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  usedAt: z.iso.datetime().nullable(),
})
export type Passkey = z.infer<typeof Passkey>

export const listPasskeys = defineCall({
  id: 'listPasskeys',
  method: 'GET',
  path: '/api/Member/Passkeys',
  access: 'member',
  summary: 'Returns the passkeys of the member',
  reply: z.array(Passkey),
})

export const beginPasskey = defineCall({
  id: 'beginPasskey',
  method: 'POST',
  path: '/api/Member/Passkeys/Options',
  access: 'member',
  summary: 'Returns the options for creating a passkey, valid for five minutes',
  reply: CeremonyOptions,
  errors: { reauthRequired: 403, tooManyPasskeys: 409, notOffered: 404 },
  memberOnly: true,
  perMinute: 20,
})

export const PasskeyName = z.strictObject({
  name: z.string().trim().min(1, 'security.passkey_name_missing').max(60, 'validation.max_length|60'),
})

export const addPasskey = defineCall({
  id: 'addPasskey',
  method: 'POST',
  path: '/api/Member/Passkeys',
  access: 'member',
  summary: 'Adds the passkey that the browser has created',
  body: PasskeyName.extend({ credential: AuthenticatorCredential }),
  reply: Passkey,
  errors: { reauthRequired: 403, passkeyRejected: 400, tooManyPasskeys: 409, notOffered: 404 },
  memberOnly: true,
  perMinute: 20,
})

export const removePasskey = defineCall({
  id: 'removePasskey',
  method: 'DELETE',
  path: '/api/Member/Passkeys',
  access: 'member',
  summary: 'Removes a passkey',
  query: z.strictObject({ id: z.uuid() }),
  reply: z.literal(true),
  errors: { passkeyNotFound: 404 },
  memberOnly: true,
})

export const beginPasskeySignIn = defineCall({
  id: 'beginPasskeySignIn',
  method: 'POST',
  path: '/api/SignIn/Passkey/Options',
  access: 'anyone',
  summary: 'Returns the options for signing in with a passkey; they identify no member',
  reply: CeremonyOptions,
  errors: { notOffered: 404 },
  perMinute: 30,
})

export const signInWithPasskey = defineCall({
  id: 'signInWithPasskey',
  method: 'POST',
  path: '/api/SignIn/Passkey',
  access: 'anyone',
  summary: 'Signs in with a passkey, or re-authenticates a member who is already signed in',
  body: z.strictObject({ credential: AuthenticatorCredential, rememberMe: z.boolean().default(false) }),
  reply: SignedIn,
  cookies: ['__Host-sid', 'session_expiry', '__Host-device'],
  errors: { passkeyRejected: 401, restFirst: 429, notOffered: 404 },
  memberOnly: true,
  perMinute: 30,
})
