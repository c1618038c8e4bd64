import { maxEmailLength } from '../../platform/email-address.ts'
import { consent, email, type FormOutput, flag, text, zipCode } from '../../platform/form-fields.ts'
import { stateProblem } from '../../platform/us-states.ts'
import { maxSentName, TypedName } from '../members/forms.ts'

const password = (label: string) =>
  text(1024, { label, absent: 'empty', trim: false, tooLong: 'validation.password_rules' })

/** Who joins, where it is typed; elsewhere the partner's identity provider states it. */
export const TypedIdentity = { email: email('join.email', 'validation.email_missing'), ...TypedName }

/** The join form. The required fields, and what else a typed text must be, depend on the program: see `rules.ts`. */
export const JoinForm = {
  email: email('join.email', 'validation.email_missing', maxEmailLength),
  password: password('join.password'),
  passwordConfirm: password('join.password_confirm'),
  firstName: text(maxSentName, { label: 'join.first_name' }),
  lastName: text(maxSentName, { label: 'join.last_name' }),
  zipCode: zipCode(),
  address1: text(30, { label: 'join.address1', absent: 'empty' }),
  address2: text(30, { label: 'join.address2', absent: 'empty' }),
  city: text(20, { label: 'join.city', absent: 'empty' }),
  state: text(null, { label: 'join.state', absent: 'empty', trim: false, problem: stateProblem }),
  partnerNumber: text(30, { label: 'join.partner_number', absent: 'empty' }),
  phoneNumber: text(20, { label: 'join.phone', absent: 'empty', tooLong: 'validation.phone_format' }),
  smsOptIn: flag({ absent: 'undefined' }),
  smsOptInV2: flag({ absent: 'undefined' }),
  emailOptIn: flag(),
  termsAccepted: consent('validation.terms'),
}
export type JoinForm = FormOutput<typeof JoinForm>

/** A prospect: an email address of a visitor who may join later. */
export const ProspectForm = { email: TypedIdentity.email }
