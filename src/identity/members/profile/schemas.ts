import { z } from 'zod'
import { defineSchemas } from '../../../platform/call.ts'
import { formSchema } from '../../../platform/form-schema.ts'
import { Member } from '../schemas.ts'
import { ProfileForm } from './forms.ts'

/** A value that a page has shown. It may be one that the form does not accept, such as a partner's long name. */
const shown = z.string().max(254)

/** The values with which a form began. */
const Before = z.strictObject({
  firstName: shown,
  lastName: shown,
  address1: shown,
  address2: shown,
  city: shown,
  state: shown,
  zipCode: shown,
  phoneNumber: shown,
  smsOptIn: z.boolean(),
  emailOptIn: z.boolean(),
})
export type Before = z.infer<typeof Before>

/** The profile with an optional new password. */
export const MemberUpdate = formSchema(ProfileForm, {
  password: z.string().min(1, 'validation.required').max(1024, 'validation.password_rules').optional(),
  /** With it, a field that has the value with which the form began keeps what was saved elsewhere since. */
  before: Before.optional(),
})

export const updateMember = defineSchemas({
  summary:
    "Saves the profile; fields that the program does not have, and names of a bank's customers, are not changed. " +
    'A new password is cut to 56 characters, requires recent authentication, and ends the other sessions',
  body: MemberUpdate,
  reply: Member,
  errors: { memberOnly: 403, reauthRequired: 403, busy: 429, tooManyChanges: 429 },
  perMinute: 30,
})
