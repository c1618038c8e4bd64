import { z } from 'zod'
import { BotCheckResponse } from '../bot-check/forms.ts'

export const RecoverForm = z.strictObject({
  /** An email address or, where programs have them, a partner number. */
  userName: z.string().trim().min(1, 'validation.email_missing').max(254, 'validation.max_length|254'),
  gRecaptchaResponse: BotCheckResponse,
})

export const CodeForm = z.strictObject({
  code: z.string().trim().min(1, 'recovery.code_missing').max(60, 'recovery.code_invalid'),
})

export const NewPassword = z.strictObject({
  password: z.string().min(1, 'validation.new_password_missing').max(1024, 'validation.max_length|1024'),
  passwordConfirm: z.string().min(1, 'validation.password_confirm_missing').max(1024, 'validation.max_length|1024'),
})

const email = (missing: string) =>
  z.string().trim().min(1, missing).max(50, 'validation.max_length|50').pipe(z.email('validation.email'))

export const FixCredentialsForm = z.strictObject({
  email: email('validation.email_missing'),
  emailConfirm: email('recovery.email_confirm_missing'),
})
