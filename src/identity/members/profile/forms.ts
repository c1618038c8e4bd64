import { type FormOutput, flag, text, zipCode } from '../../../platform/form-fields.ts'
import { stateProblem } from '../../../platform/us-states.ts'
import { maxSentName } from '../forms.ts'

/** The submitted profile: every field of the program's form, changed or not. */
export const ProfileForm = {
  firstName: text(maxSentName, { label: 'join.first_name' }),
  lastName: text(maxSentName, { label: 'join.last_name' }),
  address1: text(30, { label: 'join.address1', absent: 'empty' }),
  address2: text(30, { label: 'join.address2', absent: 'empty' }),
  city: text(20, { label: 'join.city', absent: 'empty' }),
  state: text(null, { label: 'join.state', absent: 'empty', trim: false, problem: stateProblem }),
  zipCode: zipCode(),
  phoneNumber: text(20, { label: 'join.phone', absent: 'empty', tooLong: 'validation.phone_format' }),
  smsOptIn: flag(),
  emailOptIn: flag(),
}
export type ProfileForm = FormOutput<typeof ProfileForm>
