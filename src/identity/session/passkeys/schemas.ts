import { z } from 'zod'
import { defineSchemas } from '../../../platform/call.ts'
import { formSchema } from '../../../platform/form-schema.ts'
import { SignedIn } from '../schemas.ts'
import { PasskeyName } from './forms.ts'

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

export const listPasskeys = defineSchemas({
  summary: 'Returns the passkeys of the member',
  reply: z.array(Passkey),
})

export const beginPasskey = defineSchemas({
  summary: 'Returns the options for creating a passkey, valid for five minutes',
  reply: CeremonyOptions,
  errors: { reauthRequired: 403, tooManyPasskeys: 409, notOffered: 404 },
  perMinute: 20,
})

export const addPasskey = defineSchemas({
  summary: 'Adds the passkey that the browser has created',
  body: formSchema(PasskeyName, { credential: AuthenticatorCredential }),
  reply: Passkey,
  errors: { reauthRequired: 403, passkeyRejected: 400, tooManyPasskeys: 409, notOffered: 404 },
  perMinute: 20,
})

export const removePasskey = defineSchemas({
  summary: 'Removes a passkey',
  query: z.strictObject({ id: z.uuid() }),
  reply: z.literal(true),
  errors: { passkeyNotFound: 404 },
})

export const beginPasskeySignIn = defineSchemas({
  maintenance: 'login',
  summary: 'Returns the options for signing in with a passkey; they identify no member',
  reply: CeremonyOptions,
  errors: { notOffered: 404 },
  perMinute: 30,
})

export const signInWithPasskey = defineSchemas({
  maintenance: 'login',
  summary: 'Signs in with a passkey, or re-authenticates a member who is already signed in',
  body: z.strictObject({ credential: AuthenticatorCredential, rememberMe: z.boolean().default(false) }),
  reply: SignedIn,
  cookies: ['__Host-sid', 'session_expiry', '__Host-device'],
  errors: { passkeyRejected: 401, restFirst: 429, notOffered: 404 },
  perMinute: 30,
})
