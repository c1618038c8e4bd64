import { flag, text } from '../../platform/form-fields.ts'

const password = text(1024, { label: 'login.password', missing: 'validation.password_missing', trim: false })

export const SignInForm = {
  userName: text(254, { label: 'login.user_name', missing: 'validation.email_missing' }),
  password,
  rememberMe: flag(),
}

const known = (label: string) => text(254, { label, absent: 'empty' })

/** A new password, and what the page knows of its owner. */
export const PasswordCheck = {
  password: text(1024, { label: 'login.password', trim: false, tooLong: 'validation.password_rules' }),
  firstName: known('join.first_name'),
  lastName: known('join.last_name'),
  email: known('join.email'),
  partnerNumber: text(30, { label: 'join.partner_number', absent: 'empty' }),
}

export const ReauthForm = { password }
