import { z } from 'zod'
import { defineCall } from '../kit/call.ts'

export const getCsrf = defineCall({
  id: 'getCsrf',
  method: 'GET',
  path: '/api/CSRF',
  access: 'anyone',
  summary: 'The token that mutating calls carry in X-XSRF-TOKEN; opens a visitor session when there is none',
  reply: z.object({ csrfToken: z.string() }),
  perMinute: 120,
})

export const SignInForm = z.strictObject({
  userName: z.string().trim().min(1, 'validation.required').max(254, 'validation.max_length|254'),
  password: z.string().min(1, 'validation.required').max(1024, 'validation.max_length|1024'),
  rememberMe: z.boolean().default(false),
  gRecaptchaResponse: z.string().max(4096).default(''),
})

export const SignedIn = z.object({
  publicId: z.string(),
  memberType: z.string(),
  csrfToken: z.string(),
})

export const signIn = defineCall({
  id: 'signIn',
  method: 'POST',
  path: '/api/SignIn',
  access: 'anyone',
  summary: 'Signs a member in with a password (programs with direct enrollment)',
  body: SignInForm,
  reply: SignedIn,
  refusals: { invalidLogin: 401, locked: 403, busy: 429, notOffered: 404 },
  perMinute: 30,
})

export const signOut = defineCall({
  id: 'signOut',
  method: 'GET',
  path: '/api/SignOut',
  access: 'anyone',
  summary: 'Ends the session; refused when another site asks for it',
  reply: z.object({ signedOut: z.literal(true) }),
  refusals: { crossSite: 403 },
})
