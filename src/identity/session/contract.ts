import { z } from 'zod'
import { defineCall } from '../../platform/call.ts'
import { BotCheckResponse } from '../bot-check/contract.ts'
import { signOutPath } from './rules.ts'

export const getCsrf = defineCall({
  id: 'getCsrf',
  method: 'GET',
  path: '/api/CSRF',
  access: 'anyone',
  summary: 'Returns the CSRF token that mutating calls send in X-XSRF-TOKEN; opens a visitor session if there is none',
  reply: z.object({ csrfToken: z.string() }),
  cookies: ['__Host-sid'],
  perMinute: 120,
})

export const SignInForm = z.strictObject({
  userName: z.string().trim().min(1, 'validation.email_missing').max(254, 'validation.max_length|254'),
  password: z.string().min(1, 'validation.password_missing').max(1024, 'validation.max_length|1024'),
  rememberMe: z.boolean().default(false),
  gRecaptchaResponse: BotCheckResponse,
})

export const SignedIn = z.object({
  publicId: z.string(),
  memberType: z.string(),
  csrfToken: z.string(),
  /** True when the member must enter a new email address first. */
  mustFixCredentials: z.boolean(),
})

export type SignedIn = z.infer<typeof SignedIn>

export const signIn = defineCall({
  id: 'signIn',
  method: 'POST',
  path: '/api/SignIn',
  access: 'anyone',
  summary: 'Signs a member in with a password (programs with direct enrollment)',
  body: SignInForm,
  reply: SignedIn,
  cookies: ['__Host-sid', 'session_expiry', '__Host-device'],
  errors: { invalidLogin: 401, locked: 403, busy: 429, restFirst: 429, notOffered: 404 },
  memberOnly: true,
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
})
export type OwnSession = z.infer<typeof OwnSession>

export const listSessions = defineCall({
  id: 'listSessions',
  method: 'GET',
  path: '/api/Member/Sessions',
  access: 'member',
  summary: 'Returns the sessions of the member',
  reply: z.array(OwnSession),
})

export const endOwnSession = defineCall({
  id: 'endOwnSession',
  method: 'DELETE',
  path: '/api/Member/Sessions',
  access: 'member',
  summary: 'Ends one session of the member or, without an id, all other sessions',
  query: z.strictObject({ id: z.uuid().optional() }),
  reply: z.literal(true),
  errors: { sessionNotFound: 404 },
  memberOnly: true,
})

export const ReauthForm = z.strictObject({
  password: z.string().min(1, 'validation.password_missing').max(1024, 'validation.max_length|1024'),
})

export const reauthenticate = defineCall({
  id: 'prove',
  method: 'POST',
  path: '/api/Member/Prove',
  access: 'member',
  summary: 'Re-authenticates the member with the password, as irreversible actions require',
  body: ReauthForm,
  reply: z.object({ proven: z.literal(true) }),
  errors: { locked: 403, busy: 429 },
  memberOnly: true,
  perMinute: 20,
})

export const signOut = defineCall({
  id: 'signOut',
  method: 'GET',
  path: signOutPath,
  access: 'anyone',
  summary: 'Ends the session; rejected when another site sends the request',
  reply: z.object({ signedOut: z.literal(true) }),
  cookies: ['__Host-sid', 'session_expiry'],
  errors: { crossSite: 403 },
})
