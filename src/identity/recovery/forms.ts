import { email, text } from '../../platform/form-fields.ts'

export const RecoverForm = {
  /** An email address or, where programs have them, a partner number. */
  userName: text(254, { missing: 'validation.email_missing' }),
}

export const CodeForm = { code: text(60, { missing: 'recovery.code_missing', tooLong: 'recovery.code_invalid' }) }

export const NewPassword = {
  password: text(1024, { missing: 'validation.new_password_missing', trim: false }),
  passwordConfirm: text(1024, { missing: 'validation.password_confirm_missing', trim: false }),
}

export const FixCredentialsForm = {
  email: email('validation.email_missing'),
  emailConfirm: email('recovery.email_confirm_missing'),
}
