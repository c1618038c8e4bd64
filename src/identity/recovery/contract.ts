import { z } from 'zod'
import { defineCall } from '../../platform/call.ts'
import { BotCheckResponse } from '../bot-check/contract.ts'

export const RecoverForm = z.strictObject({
  /** An email address or, where programs have them, a partner number. */
  userName: z.string().trim().min(1, 'validation.email_missing').max(254, 'validation.max_length|254'),
  gRecaptchaResponse: BotCheckResponse,
})

export const requestRecovery = defineCall({
  id: 'requestRecovery',
  method: 'POST',
  path: '/api/Members/Recover',
  access: 'anyone',
  summary: 'Emails a recovery code; the response does not reveal whether a member has this user name',
  body: RecoverForm,
  status: 202,
  reply: z.object({ accepted: z.literal(true) }),
  cookies: ['__Host-recovery'],
  errors: { notOffered: 404, restFirst: 429 },
  memberOnly: true,
  perMinute: 10,
})

export const CodeForm = z.strictObject({
  code: z.string().trim().min(1, 'recovery.code_missing').max(60, 'recovery.code_invalid'),
})

export const confirmRecovery = defineCall({
  id: 'confirmRecovery',
  method: 'POST',
  path: '/api/Members/Recover/Confirm',
  access: 'anyone',
  summary: 'Exchanges an emailed code for a single-use reset token',
  body: CodeForm,
  reply: z.object({ resetToken: z.string() }),
  errors: { notOffered: 404, codeInvalid: 410 },
  memberOnly: true,
  perMinute: 10,
})

export const NewPassword = z.strictObject({
  password: z.string().min(1, 'validation.new_password_missing').max(1024, 'validation.max_length|1024'),
  passwordConfirm: z.string().min(1, 'validation.password_confirm_missing').max(1024, 'validation.max_length|1024'),
})

export const updateRecovery = defineCall({
  id: 'updateRecovery',
  method: 'POST',
  path: '/api/Members/Recover/Update',
  access: 'anyone',
  summary: 'Sets the new password, ends every session of the member and notifies the member by email',
  body: NewPassword.extend({ resetToken: z.string().max(100) }),
  reply: z.object({ updated: z.literal(true) }),
  errors: { notOffered: 404, recoveryOver: 410, busy: 429 },
  memberOnly: true,
  perMinute: 10,
})

const email = (missing: string) =>
  z.string().trim().min(1, missing).max(50, 'validation.max_length|50').pipe(z.email('validation.email'))

export const FixCredentialsForm = z.strictObject({
  email: email('validation.email_missing'),
  emailConfirm: email('recovery.email_confirm_missing'),
})

export const fixCredentials = defineCall({
  id: 'fixCredentials',
  method: 'POST',
  path: '/api/Member/FixCredentials',
  access: 'member',
  summary: 'Replaces an email address that is shared or invalid by a personal one',
  body: FixCredentialsForm,
  reply: z.object({ email: z.string() }),
  errors: { notOffered: 404, nothingToFix: 409 },
  memberOnly: true,
  perMinute: 10,
})
