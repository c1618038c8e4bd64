import { flag, text } from '../../platform/form-fields.ts'

const password = text(1024, { missing: 'validation.password_missing', trim: false })

export const SignInForm = {
  userName: text(254, { missing: 'validation.email_missing' }),
  password,
  rememberMe: flag(),
}

export const ReauthForm = { password }
