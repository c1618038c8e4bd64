import { consent, email, type FormOutput, flag, text, zipCode } from '../../platform/form-fields.ts'
import { stateProblem } from '../../platform/us-states.ts'

const password = text(1024, { absent: 'empty', trim: false, tooLong: 'validation.check' })

/** The join form. The required fields depend on the program: see `rules.ts`. */
export const JoinForm = {
  email: email('validation.email_missing'),
  password,
  passwordConfirm: password,
  firstName: text(20, { missing: 'validation.first_name_missing' }),
  lastName: text(20, { missing: 'validation.last_name_missing' }),
  zipCode: zipCode(),
  address1: text(30, { absent: 'empty' }),
  address2: text(30, { absent: 'empty' }),
  city: text(20, { absent: 'empty' }),
  state: text(null, { absent: 'empty', trim: false, problem: stateProblem }),
  partnerNumber: text(30, { absent: 'empty' }),
  phoneNumber: text(20, { absent: 'empty', tooLong: 'validation.phone_format' }),
  smsOptIn: flag({ absent: 'undefined' }),
  smsOptInV2: flag({ absent: 'undefined' }),
  emailOptIn: flag(),
  termsAccepted: consent('validation.terms'),
}
export type JoinForm = FormOutput<typeof JoinForm>

/** A prospect: an email address of a visitor who may join later. */
export const ProspectForm = { email: JoinForm.email }
