import { z } from 'zod'
import { BotCheckResponse } from '../bot-check/forms.ts'

export const SignInForm = z.strictObject({
  userName: z.string().trim().min(1, 'validation.email_missing').max(254, 'validation.max_length|254'),
  password: z.string().min(1, 'validation.password_missing').max(1024, 'validation.max_length|1024'),
  rememberMe: z.boolean().default(false),
  gRecaptchaResponse: BotCheckResponse,
})

export const ReauthForm = z.strictObject({
  password: z.string().min(1, 'validation.password_missing').max(1024, 'validation.max_length|1024'),
})
