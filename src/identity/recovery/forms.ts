import { email, text } from '../../platform/form-fields.ts'

export const RecoverForm = {
  /** An email address or, where programs have them, a partner number. */
  userName: text(254, { label: 'recovery.name', missing: 'validation.email_missing' }),
}

export const CodeForm = { code: text(60, { missing: 'recovery.code_missing', tooLong: 'recovery.code_invalid' }) }

export const NewPassword = {
  password: text(1024, {
    label: 'recovery.password',
    missing: 'validation.new_password_missing',
    trim: false,
    tooLong: 'validation.password_rules',
  }),
  passwordConfirm: text(1024, {
    label: 'recovery.password_confirm',
    missing: 'validation.password_confirm_missing',
    trim: false,
    tooLong: 'validation.password_rules',
  }),
}

export const FixCredentialsForm = {
  email: email('recovery.fix_email', 'validation.email_missing'),
  emailConfirm: email('recovery.fix_email_confirm', 'recovery.email_confirm_missing'),
}
