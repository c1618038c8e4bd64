import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'
import { formSchema } from '../../platform/form-schema.ts'
import { BotCheckResponse } from '../bot-check/schemas.ts'
import { PasswordCheck, ReauthForm, SignInForm } from './forms.ts'

export const getCsrf = defineSchemas({
  maintenance: 'open',
  summary: 'Returns the CSRF token that mutating calls send in X-XSRF-TOKEN; opens a visitor session if there is none',
  reply: z.object({ csrfToken: z.string() }),
  cookies: ['__Host-sid'],
  perMinute: 120,
})

export const SignedIn = z.object({
  publicId: z.string(),
  memberType: z.string(),
  csrfToken: z.string(),
  /** True when the member must enter a new email address first. */
  mustFixCredentials: z.boolean(),
})

export type SignedIn = z.infer<typeof SignedIn>

export const signIn = defineSchemas({
  maintenance: 'login',
  summary: 'Signs a member in with a password (programs with direct enrollment)',
  body: formSchema(SignInForm, { gRecaptchaResponse: BotCheckResponse }),
  reply: SignedIn,
  cookies: ['__Host-sid', 'session_expiry', '__Host-device'],
  errors: { invalidLogin: 401, locked: 403, busy: 429, restFirst: 429, notOffered: 404 },
  perMinute: 30,
})

export const checkNewPassword = defineSchemas({
  summary: 'Returns what is wrong with a new password, before it is sent with its form; null if nothing',
  body: formSchema(PasswordCheck),
  reply: z.object({ problem: z.string().nullable() }),
  errors: { notOffered: 404 },
  perMinute: 30,
})

export const OwnSession = z.object({
  id: z.uuid(),
  /** Such as `Chrome on Windows`; empty when the browser does not report it. */
  device: z.string(),
  beganWith: z.enum(['visit', 'join', 'password', 'passkey', 'sso']),
  beganAt: z.iso.datetime(),
  remembered: z.boolean(),
  /** The session of this request. */
  current: z.boolean(),
  /** False for a browser that gets push messages though its session is over. `beganAt` is when they were turned on. */
  isSignedIn: z.boolean(),
  /** Push messages are sent to this browser. */
  getsNotifications: z.boolean(),
})
export type OwnSession = z.infer<typeof OwnSession>

export const listSessions = defineSchemas({
  summary: 'Returns the sessions of the member, and the browsers that get push messages',
  reply: z.array(OwnSession),
})

export const endOwnSession = defineSchemas({
  summary: 'Ends one session, or the push messages in one browser, of the member or, without an id, all others',
  query: z.strictObject({ id: z.uuid().optional() }),
  reply: z.literal(true),
  errors: { sessionNotFound: 404 },
  // Each may send an email.
  perMinute: 10,
})

export const reauthenticate = defineSchemas({
  summary: 'Re-authenticates the member with the password, as irreversible actions require',
  body: formSchema(ReauthForm),
  reply: z.object({ proven: z.literal(true) }),
  errors: { locked: 403, busy: 429 },
  perMinute: 20,
})

export const signOut = defineSchemas({
  maintenance: 'open',
  summary: 'Ends the session; rejected when another site sends the request',
  reply: z.object({ signedOut: z.literal(true) }),
  cookies: ['__Host-sid', 'session_expiry'],
  errors: { crossSite: 403 },
})
