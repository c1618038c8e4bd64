import { type FormOutput, flag, text, zipCode } from '../../../platform/form-fields.ts'
import { phoneProblem } from '../../../platform/phone.ts'
import { stateProblem } from '../../../platform/us-states.ts'

/** The submitted profile: every field of the program's form, changed or not. */
export const ProfileForm = {
  firstName: text(20, { label: 'join.first_name', missing: 'validation.first_name_missing' }),
  lastName: text(20, { label: 'join.last_name', missing: 'validation.last_name_missing' }),
  address1: text(30, { label: 'join.address1', absent: 'empty' }),
  address2: text(30, { label: 'join.address2', absent: 'empty' }),
  city: text(20, { label: 'join.city', absent: 'empty' }),
  state: text(null, { label: 'join.state', absent: 'empty', trim: false, problem: stateProblem }),
  zipCode: zipCode(),
  phoneNumber: text(20, {
    label: 'join.phone',
    absent: 'empty',
    tooLong: 'validation.phone_format',
    problem: phoneProblem,
  }),
  smsOptIn: flag(),
  emailOptIn: flag(),
}
export type ProfileForm = FormOutput<typeof ProfileForm>
