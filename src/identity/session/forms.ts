import { flag, text } from '../../platform/form-fields.ts'

const password = text(1024, { label: 'login.password', missing: 'validation.password_missing', trim: false })

export const SignInForm = {
  userName: text(254, { label: 'login.user_name', missing: 'validation.email_missing' }),
  password,
  rememberMe: flag(),
}

export const ReauthForm = { password }
